"""The filters as the kernel reads them, for both kinds of machine; that it obeys them is tested where models run."""

import struct

import pytest

from dynaboard.runtime.worker import seccomp


def action(code: bytes, machine: str, call: int, *arguments: int) -> int:
    """What the kernel does with a system call by this filter."""
    steps = [struct.unpack("=HBBI", code[start : start + 8]) for start in range(0, len(code), 8)]
    data = struct.pack("=iIQ6Q", call, seccomp.MACHINES[machine][0], 0, *arguments, *[0] * (6 - len(arguments)))
    value = place = 0
    while True:
        kind, matched, other, operand = steps[place]
        if kind == seccomp.RETURN:
            return int(operand)
        if kind == seccomp.LOAD:
            value = struct.unpack_from("=I", data, operand)[0]
            place += 1
        else:
            true = value == operand if kind == seccomp.EQUAL else value >= operand
            place += 1 + (matched if true else other)


every_machine = pytest.mark.parametrize("machine", seccomp.MACHINES)
refused = seccomp.REFUSE
allowed = seccomp.ALLOW


@every_machine
def test_each_refused_call_is_refused_and_others_pass(machine: str) -> None:
    code = seccomp.refusals(machine)
    assert {action(code, machine, call) for call in seccomp.MACHINES[machine][2].values()} == {refused}
    assert action(code, machine, 0) == allowed


@every_machine
def test_a_process_limits_itself_and_nobody_else(machine: str) -> None:
    code = seccomp.meddling_refusal(machine)
    for call in seccomp.ON_PROCESSES[machine].values():
        assert [action(code, machine, call, pid) for pid in (0, 1, 99)] == [allowed, refused, refused]
    assert action(code, machine, 0, 7) == allowed


@every_machine
def test_a_process_is_nice_itself_and_makes_nobody_else_so(machine: str) -> None:
    code, call = seccomp.meddling_refusal(machine), seccomp.SETPRIORITY[machine]
    assert action(code, machine, call, 0, 0, 5) == allowed
    assert [action(code, machine, call, *whom) for whom in ((0, 1), (1, 0), (2, 0))] == [refused] * 3


@every_machine
def test_a_process_may_not_hide_its_memory(machine: str) -> None:
    code, call = seccomp.hiding_refusal(machine), seccomp.PRCTL[machine]
    assert [action(code, machine, call, option) for option in (1, 4, 38)] == [allowed, refused, allowed]


@every_machine
def test_sockets_stay_within_the_machine(machine: str) -> None:
    code, call = seccomp.network_refusal(machine), seccomp.SOCKET[machine]
    assert [action(code, machine, call, family) for family in (1, 2, 10, 16, 17)] == [allowed, *[refused] * 4]
    assert action(code, machine, 0, 2) == allowed


@pytest.mark.parametrize(
    "made", [seccomp.refusals, seccomp.meddling_refusal, seccomp.hiding_refusal, seccomp.network_refusal]
)
def test_calls_of_another_kind_of_machine_are_killed(made: object) -> None:
    assert callable(made)
    assert action(made("x86_64"), "aarch64", 0) == seccomp.KILL

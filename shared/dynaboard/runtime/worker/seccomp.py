"""System calls that no model needs, refused by the kernel: ways to memory that belongs to no process, and known holes.

Resident memory is what limits count. memfd, System V segments and message queues hold memory outside of it, without
bound; io_uring, bpf, userfaultfd, keyrings and namespaces are where kernels broke before. While its cost is measured, a
model keeps to the processors it was given, as the reference does. Standard library only.

Of its user's processes a model limits and slows none but itself: in a pod we have that user too. There, where the
network is shared, no socket is opened either but those between processes of the pod.
"""

import ctypes
import errno
import platform
import struct
from collections.abc import Callable

SET_NO_NEW_PRIVS, SET_MODE_FILTER = 38, 1
# Without it, kernels before 5.16 slow a filtered process down against Spectre, and what we measure with it.
SPEC_ALLOW = 1 << 2
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
NUMBER_AT, MACHINE_AT, FIRST_ARGUMENT_AT, SECOND_ARGUMENT_AT = 0, 4, 16, 24
UNIX_SOCKETS = 1
X32 = 0x40000000

SAME_EVERYWHERE = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "pidfd_getfd": 438,
                   "memfd_secret": 447}  # fmt: skip
SOCKET = {"x86_64": 41, "aarch64": 198}
# machine -> calls that change a process, which is their first argument (0: the caller), and one whose second it is.
ON_PROCESSES: dict[str, dict[str, int]] = {
    "x86_64": {"prlimit64": 302, "sched_setparam": 142, "sched_setscheduler": 144, "sched_setattr": 314},
    "aarch64": {"prlimit64": 261, "sched_setparam": 118, "sched_setscheduler": 119, "sched_setattr": 274},
}
SETPRIORITY = {"x86_64": 141, "aarch64": 140}
PRCTL, SET_DUMPABLE = {"x86_64": 157, "aarch64": 167}, 4
# machine -> (its number for seccomp, the number of the call seccomp, the refused calls)
MACHINES: dict[str, tuple[int, int, dict[str, int]]] = {
    "x86_64": (0xC000003E, 317, {
        "shmget": 29, "semget": 64, "msgget": 68, "ptrace": 101, "mount": 165, "mq_open": 240, "add_key": 248,
        "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298, "name_to_handle_at": 303,
        "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311,
        "memfd_create": 319, "bpf": 321, "userfaultfd": 323, "sched_setaffinity": 203, "ioprio_set": 251,
    }),
    "aarch64": (0xC00000B7, 277, {
        "mount": 40, "unshare": 97, "ptrace": 117, "mq_open": 180, "msgget": 186, "semget": 190, "shmget": 194,
        "add_key": 217, "request_key": 218, "keyctl": 219, "perf_event_open": 241, "name_to_handle_at": 264,
        "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271,
        "memfd_create": 279, "bpf": 280, "userfaultfd": 282, "sched_setaffinity": 122, "ioprio_set": 30,
    }),
}  # fmt: skip


class Program(ctypes.Structure):
    """The kernel's struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def refusals(machine: str) -> bytes:
    """The filter as the kernel reads it: wrong machines are killed, the calls above get EPERM, all others pass."""
    number, _, own = MACHINES[machine]
    refused = sorted({*own.values(), *SAME_EVERYWHERE.values()})
    # Each test jumps over what is left of the tests, and over ALLOW, to REFUSE.
    tests = [(EQUAL, len(refused) - place, 0, call) for place, call in enumerate(refused)]
    steps = [
        (LOAD, 0, 0, MACHINE_AT),
        (EQUAL, 1, 0, number),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
        (AT_LEAST, len(tests) + 1, 0, X32),
        *tests,
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def network_refusal(machine: str) -> bytes:
    """The filter that lets sockets between processes of one machine pass, and no other; for little-endian machines."""
    return _by_first_argument(machine, SOCKET[machine], UNIX_SOCKETS, (ALLOW, REFUSE))


def hiding_refusal(machine: str) -> bytes:
    """The filter that lets no process take the marks of its memory from our sight."""
    return _by_first_argument(machine, PRCTL[machine], SET_DUMPABLE, (REFUSE, ALLOW))


def _by_first_argument(machine: str, call: int, argument: int, answers: tuple[int, int]) -> bytes:
    """The filter that answers one call by whether its first argument is this one, and lets all others pass."""
    steps = [
        (LOAD, 0, 0, MACHINE_AT),
        (EQUAL, 1, 0, MACHINES[machine][0]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
        (EQUAL, 1, 0, call),
        (RETURN, 0, 0, ALLOW),
        (LOAD, 0, 0, FIRST_ARGUMENT_AT),
        (EQUAL, 0, 1, argument),
        (RETURN, 0, 0, answers[0]),
        (RETURN, 0, 0, answers[1]),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def meddling_refusal(machine: str) -> bytes:
    """The filter that lets a process set its own limits and priority, and nobody else's, though of its user."""
    calls = sorted(ON_PROCESSES[machine].values())
    # Both arguments of setpriority: of a process rather than a user or group, and of the caller.
    priority = [(LOAD, 0, 0, FIRST_ARGUMENT_AT), (EQUAL, 0, 3, 0), (LOAD, 0, 0, SECOND_ARGUMENT_AT), (EQUAL, 0, 1, 0)]
    own = [(LOAD, 0, 0, FIRST_ARGUMENT_AT), (EQUAL, len(priority), len(priority) + 1, 0)]
    tests = [(EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    steps = [
        (LOAD, 0, 0, MACHINE_AT),
        (EQUAL, 1, 0, MACHINES[machine][0]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
        *tests,
        (EQUAL, len(own), len(own) + len(priority), SETPRIORITY[machine]),
        *own,
        *priority,
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def refuse_calls() -> bool:
    """Have the kernel refuse them to this process and all it starts. False where the kernel or machine cannot."""
    return _install(refusals) and _install(meddling_refusal)


def refuse_hiding() -> bool:
    """Have the kernel refuse them to be closed to us, likewise; whoever is closed stays so."""
    return _install(hiding_refusal)


def refuse_network() -> bool:
    """Have the kernel refuse sockets to anywhere else, likewise; those that are open stay."""
    return _install(network_refusal)


def _install(made: Callable[[str], bytes]) -> bool:
    machine = platform.machine()
    if platform.system() != "Linux" or machine not in MACHINES:
        return False
    code, libc = made(machine), ctypes.CDLL(None, use_errno=True)
    program = Program(len(code) // 8, code)
    if libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return int(libc.syscall(MACHINES[machine][1], SET_MODE_FILTER, SPEC_ALLOW, ctypes.byref(program))) == 0

"""Memory that belongs to no process: what a model could hide from limits that count resident pages. Real sandbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dynaboard.errors import ModelFailure
from dynaboard.runtime import ModelServer, start_server
from dynaboard.runtime.worker.seccomp import MACHINES, refusals
from tests.runtime.conftest import LIMITS, predict, statements, write_handler

HOARDER = """
    import ctypes, mmap, os, socket
    libc = ctypes.CDLL(None, use_errno=True)

    def sockets():
        pairs = []
        try:
            while True:
                pairs.append(socket.socketpair())
        except OSError:
            return len(pairs)

    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            try:
                found = eval(examples[0]["statement"])
            except OSError as error:
                found = type(error).__name__
            raise ValueError(found)
"""


@pytest.fixture(scope="module")
def hoarder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    """A model that evaluates what it is asked."""
    folder: Path = tmp_path_factory.mktemp("hoarder")
    server = start_server(write_handler(folder, HOARDER), "handler.py:Handler", folder / "run", LIMITS)
    server.wait_ready()
    yield server
    server.discard()


def found(server: ModelServer, expression: str) -> str:
    with pytest.raises(ModelFailure) as failure:
        predict(server, statements(expression))
    return failure.value.detail.partition("ValueError: ")[2]


@pytest.mark.parametrize(
    "expression",
    [
        "os.memfd_create('hoard')",
        "libc.shmget(0, 1 << 26, 0o1600)",
        "libc.msgget(0, 0o1600)",
        "libc.unshare(0x10000000)",
        "libc.ptrace(0, 0, 0, 0)",
        "libc.syscall(425, 4, 0)",
        "os.sched_setaffinity(0, range(os.cpu_count()))",
    ],
)
def test_the_kernel_refuses_what_no_model_needs(hoarder: ModelServer, expression: str) -> None:
    assert found(hoarder, expression) in ("PermissionError", "-1")


def test_a_process_is_the_models_whatever_it_is_called(hoarder: ModelServer) -> None:
    before = len(hoarder.worker_pids())
    disguise = "__import__('shutil').copy('/bin/sleep', '/tmp/bwrap')"
    assert found(hoarder, f"{disguise} and __import__('subprocess').Popen(['/tmp/bwrap', '60']).pid > 0") == "True"
    assert len(hoarder.worker_pids()) == before + 1


def test_sockets_are_few(hoarder: ModelServer) -> None:
    assert int(found(hoarder, "sockets()")) < 128


def test_anonymous_memory_threads_and_children_still_work(hoarder: ModelServer) -> None:
    assert found(hoarder, "len(mmap.mmap(-1, 4096))") == "4096"
    assert found(hoarder, "os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)[1]") == "0"


@pytest.mark.parametrize("machine", MACHINES)
def test_every_test_of_the_filter_jumps_to_the_refusal(machine: str) -> None:
    code = refusals(machine)
    steps = [code[start : start + 8] for start in range(0, len(code), 8)]
    for place, step in enumerate(steps[5:-2], start=5):
        assert place + 1 + step[2] == len(steps) - 1

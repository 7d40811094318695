"""What a hostile handler meets: each test is one thing it tries from inside a running model."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynaboard.errors import ModelFailure
from dynaboard.runtime import ModelServer, start_server
from dynaboard.runtime.sandbox import sandbox_kind
from tests.runtime.conftest import LIMITS, Start, predict, statements, write_handler

# Runs the statement as Python and tells what came of it through the message of an exception.
SPY = """
    class Handler:
        def load(self, model_dir):
            self.model_dir = model_dir

        def predict(self, examples):
            try:
                found = eval(examples[0]["statement"], {"model_dir": self.model_dir})
            except OSError as error:
                found = type(error).__name__
            raise RuntimeError(found)
"""
SECRET = "DYNABOARD_SECRET_OF_THE_TESTS"


@pytest.fixture(scope="module")
def spy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    """One server whose model does what a test asks."""
    if sandbox_kind() != "bubblewrap":
        pytest.skip("bubblewrap does not work on this machine, so models run without a sandbox")
    folder = tmp_path_factory.mktemp("spy")
    os.environ[SECRET] = "a credential of the platform"
    server = start_server(write_handler(folder / "model", SPY), "handler.py:Handler", folder / "run", LIMITS)
    server.wait_ready()
    yield server
    del os.environ[SECRET]
    server.discard()


def found(server: ModelServer, expression: str) -> str:
    """What the model sees when it evaluates this expression."""
    with pytest.raises(ModelFailure) as failure:
        predict(server, statements(expression))
    return failure.value.detail.removeprefix("Handler.predict() raised RuntimeError: ").rstrip(".")


def test_a_model_has_no_network(spy: ModelServer) -> None:
    connect = "__import__('socket').create_connection(('127.0.0.1', 22), timeout=1)"
    assert found(spy, connect) in ("OSError", "ConnectionRefusedError")
    assert found(spy, "[name for _, name in __import__('socket').if_nameindex()]") == "['lo']"


def test_a_model_cannot_read_files_of_the_machine(spy: ModelServer) -> None:
    assert found(spy, "open('/etc/passwd').read()") == "FileNotFoundError"
    assert found(spy, f"open({__file__!r}).read()") == "FileNotFoundError"


def test_a_model_cannot_see_other_runs(spy: ModelServer) -> None:
    assert found(spy, f"__import__('os').path.exists({str(spy.run_dir)!r})") == "False"
    assert found(spy, f"__import__('os').path.exists({str(spy.inference_socket)!r})") == "False"


def test_the_environment_holds_nothing_of_the_platform(spy: ModelServer) -> None:
    assert found(spy, f"__import__('os').environ.get({SECRET!r})") == "None"
    assert found(spy, "sorted(k for k in __import__('os').environ if 'DYNABOARD' in k or 'TOKEN' in k)") == (
        "['TOKENIZERS_PARALLELISM']"
    )


def test_a_model_sees_no_process_but_its_own(spy: ModelServer) -> None:
    assert found(spy, "[p for p in __import__('os').listdir('/proc') if p.isdigit()]") == "['1', '2']"


@pytest.mark.parametrize("place", ["/x", "/dev/x", "/model/x", "/runtime/x", "/usr/x", "/dev/mqueue/x"])
def test_a_model_writes_nowhere_but_to_its_scratch(spy: ModelServer, place: str) -> None:
    assert found(spy, f"open({place!r}, 'w')") in ("OSError", "PermissionError", "FileNotFoundError")


def test_scratch_is_limited(spy: ModelServer) -> None:
    assert found(spy, "open('/tmp/a', 'wb').write(bytes(1_000_000))") == "1000000"
    assert found(spy, "[open(f'/tmp/b{n}', 'wb').write(bytes(1_000_000)) for n in range(9)]") == "OSError"


def test_a_model_cannot_make_itself_root_of_a_new_sandbox(spy: ModelServer) -> None:
    assert found(spy, "__import__('os').getuid()") == "65534"
    unshare = "__import__('ctypes').CDLL(None, use_errno=True).unshare(0x10000000)"
    assert found(spy, unshare) == "-1"


def test_a_model_inherits_only_its_socket_and_its_log(spy: ModelServer) -> None:
    kinds = "sorted({__import__('os').readlink(f'/proc/self/fd/{n}').split(':')[0].rsplit('/', 1)[-1] for n in range(9)"
    assert found(spy, kinds + " if __import__('os').path.exists(f'/proc/self/fd/{n}')})") == (
        "['log.pipe', 'pipe', 'socket']"  # the pipe is its standard input
    )


def test_a_model_sees_its_own_folder(spy: ModelServer) -> None:
    assert found(spy, "__import__('os').listdir(model_dir)") == "['handler.py']"


def test_torch_is_not_imported_for_a_handler_that_does_not_use_it(spy: ModelServer) -> None:
    assert found(spy, "'torch' in __import__('sys').modules") == "False"


@pytest.fixture
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which bubblewrap is not to be found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox_kind.cache_clear()
    yield
    sandbox_kind.cache_clear()


@pytest.mark.usefixtures("without_bubblewrap")
def test_without_bubblewrap_a_model_runs_with_a_loud_warning(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    server = start(SPY)
    server.wait_ready()
    assert server.sandbox == "limits"
    assert "unsandboxed: trusted models only" in caplog.text
    assert found(server, "__import__('os').environ.get('PATH')") == "/usr/bin:/bin"
    assert found(server, "bytearray(10 * 1024**3)") == "The model needs more than the 1 GiB it may use"


@pytest.mark.usefixtures("without_bubblewrap")
def test_without_bubblewrap_nothing_outlives_the_stop(start: Start) -> None:
    server = start(SPY)
    server.wait_ready()
    workers = server.worker_pids()
    assert len(workers) == 1
    server.stop()
    assert not any(
        Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes() for pid in workers
    )

"""What a model in a pod tries against the pod itself. It has the user of all that runs beside it."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynaboard.errors import DynaboardError, ModelFailure
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Predictor, RemoteServer
from dynaboard.runtime.pod import options
from dynaboard.runtime.pod.supervisor import KILLED
from tests.runtime.conftest import statements
from tests.runtime.pod.conftest import MakePod
from tests.runtime.pod.pods import TOKEN, PodProcess, pack, running, until

# Evaluates what it is asked, and tells what came of it in an exception.
SPY = """
    import ctypes, os, signal, socket, subprocess, sys, threading, time
    from pathlib import Path

    def programs(name):
        return [int(p) for p in os.listdir("/proc") if p.isdigit() and os.path.exists(f"/proc/{p}/cmdline")
                and name in Path(f"/proc/{p}/cmdline").read_text()]

    JAVA, GUARDIAN = (lambda: programs("org.pytorch.serve")[-1]), (lambda: programs("guardian.py")[0])

    def kill_java(guardian=False):
        if guardian:
            os.kill(GUARDIAN(), signal.SIGSTOP)
        os.kill(JAVA(), signal.SIGKILL)
        time.sleep(60)

    def seen():
        texts = []
        for file in [*Path("/proc").glob("[0-9]*/environ"), *Path("/proc").glob("[0-9]*/cmdline")]:
            try:
                texts.append(file.read_bytes())
            except OSError:
                pass
        return b"".join(texts)

    def orphan():
        program = "import time; x = bytes([1]) * (100 * 1024**2); time.sleep(60)"
        subprocess.run(["/bin/sh", "-c", f"setsid {sys.executable} -c '{program}' &"], check=True)
        time.sleep(1)

    class Handler:
        def load(self, model_dir):
            self.model_dir = model_dir

        def predict(self, examples):
            try:
                found = eval(examples[0]["statement"], globals() | {"model_dir": self.model_dir})
            except OSError as error:
                found = type(error).__name__
            raise RuntimeError(found)
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(tmp_path_factory.mktemp("spy"), SPY)


@pytest.fixture(scope="module")
def spy(archive: Path) -> Iterator[PodProcess]:
    """One pod for the tries that fail."""
    with running(archive) as pod:
        yield pod


def told(remote: RemoteServer, expression: str) -> DynaboardError:
    """How a prediction fails in which this is evaluated."""

    async def ask() -> None:
        async with Predictor(remote, TASKS["sentiment"], 20) as predictor:
            await predictor.predict(statements(expression))

    with pytest.raises(DynaboardError) as failure:
        asyncio.run(ask())
    return failure.value


def found(pod: PodProcess, expression: str) -> str:
    """What the model sees when it evaluates this."""
    prefix = "Handler.predict() raised RuntimeError: "
    detail = told(pod.remote, expression).detail
    assert detail.startswith(prefix), detail
    return detail.removeprefix(prefix).removesuffix(".")


@pytest.mark.parametrize("name", ["environ", "mem", "maps", "fd/0", "root/etc/hostname", "cwd", "auxv"])
def test_a_model_reads_nothing_of_its_supervisor(spy: PodProcess, name: str) -> None:
    assert found(spy, f"open('/proc/1/{name}', 'rb').read(10)") in ("PermissionError", "IsADirectoryError")


def test_what_it_may_read_of_others_holds_no_token(spy: PodProcess) -> None:
    assert found(spy, "len(open(f'/proc/{JAVA()}/environ', 'rb').read()) > 0") == "True"
    assert found(spy, f"seen().count({TOKEN[:9]!r}.encode() + {TOKEN[9:]!r}.encode())") == "0"


def test_a_model_cannot_trace_or_write_into_its_supervisor(spy: PodProcess) -> None:
    assert found(spy, "ctypes.CDLL(None).ptrace(16, 1, 0, 0)") == "-1"
    assert found(spy, "open('/proc/1/mem', 'r+b')") == "PermissionError"


def test_a_model_cannot_reach_into_the_guardian(spy: PodProcess) -> None:
    assert found(spy, "open(f'/proc/{GUARDIAN()}/mem', 'r+b')") == "PermissionError"


def test_java_opens_no_door_to_its_own_user(spy: PodProcess) -> None:
    """Java's attach mechanism: a file with its number, a signal, and it listens on a socket for agents to load."""
    attach = "[Path(f'/tmp/.attach_pid{JAVA()}').touch(), os.kill(JAVA(), signal.SIGQUIT), time.sleep(1)]"
    assert found(spy, f"{attach} and os.path.exists(f'/tmp/.java_pid{{JAVA()}}')") == "False"
    assert found(spy, "any(name.startswith('hsperfdata') for name in os.listdir('/tmp'))") == "False"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL", "SIGSTOP", "SIGINT", "SIGCHLD"])
def test_a_model_cannot_end_its_supervisor(spy: PodProcess, name: str) -> None:
    found(spy, f"os.kill(1, signal.{name})")
    assert not until(lambda: not spy.remote.alive(), 0.7)


@pytest.mark.parametrize(
    "call", ["prlimit(1, 7, 0, 0)", "prlimit(JAVA(), 0, 0, 0)", "setpriority(0, 1, 19)", "setpriority(2, 0, 19)"]
)
def test_a_model_limits_and_slows_nobody_else(spy: PodProcess, call: str) -> None:
    assert found(spy, f"ctypes.CDLL(None).{call}") == "-1"


def test_a_model_cannot_close_itself_to_its_supervisor(spy: PodProcess) -> None:
    assert found(spy, "ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)") == "-1"


def test_a_model_opens_no_connection(spy: PodProcess) -> None:
    port = spy.control.partition(":")[2]
    assert found(spy, f"socket.create_connection(('127.0.0.1', {port}), 2)") == "PermissionError"
    assert found(spy, "socket.socket(socket.AF_INET6)") == "PermissionError"
    assert found(spy, "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)") == "PermissionError"
    assert found(spy, "socket.socket(socket.AF_UNIX).family.name") == "AF_UNIX"


def test_a_model_finds_nothing_that_starts_models(spy: PodProcess) -> None:
    assert found(spy, f"'mgmt.sock' in os.listdir({str(spy.folder / 'run/ts')!r})") == "False"
    assert found(spy, f"os.path.exists({str(spy.folder / 'run/ts/config.properties')!r})") == "True"


def test_a_model_cannot_change_its_own_archive(spy: PodProcess) -> None:
    assert found(spy, "open(model_dir + '/handler.py', 'a')") == "OSError"


def test_a_model_sees_nothing_of_ours_in_its_environment(spy: PodProcess) -> None:
    assert found(spy, "[k for k in os.environ if 'DYNABOARD' in k]") == "[]"
    assert found(spy, "os.environ['HOME']") == "/tmp"


def test_a_model_that_puts_another_file_in_its_logs_place_harms_its_log_only(spy: PodProcess) -> None:
    log = str(spy.folder / "run/model.log")
    assert found(spy, f"[os.unlink({log!r}), os.symlink('/dev/zero', {log!r}), os.path.islink({log!r})][2]") == "True"
    assert "RuntimeError" in spy.remote.log_tail(10_000)


def test_a_model_that_writes_our_last_words_before_us_is_not_believed(archive: Path, make_pod: MakePod) -> None:
    pod = ready(make_pod(), archive)
    log = str(pod.termination)
    assert found(pod, f"open({log!r}, 'w').write('{{\"kind\": \"platform\"}}')") == "20"
    assert told(pod.remote, "kill_java()").detail == KILLED
    pod.remote.stop()
    assert pod.exit_status() == options.MODEL_FAILED
    assert json.loads(pod.termination.read_text()) == {"kind": "model", "detail": KILLED}


def ready(pod: PodProcess, archive: Path) -> PodProcess:
    pod.serve(archive).remote.start()
    pod.remote.wait_ready()
    return pod


@pytest.mark.parametrize(
    "how",
    [
        "kill_java()",
        "kill_java(guardian=True)",
        "os.kill(GUARDIAN(), signal.SIGKILL) or time.sleep(60)",
        "os.kill(JAVA(), signal.SIGABRT) or time.sleep(60)",
    ],
)
def test_a_model_that_kills_its_server_has_failed_and_takes_no_port(archive: Path, make_pod: MakePod, how: str) -> None:
    pod = ready(make_pod(), archive)
    failure = told(pod.remote, how)
    assert isinstance(failure, ModelFailure)
    assert failure.detail == KILLED
    assert not pod.remote.alive()
    assert pod.call("GET", "/readyz") == 503


def test_a_model_whose_process_dies_is_not_started_again(archive: Path, make_pod: MakePod) -> None:
    pod = ready(make_pod(), archive)
    assert told(pod.remote, "os._exit(1)").detail.startswith("The model's process died during predict()")
    assert until(lambda: pod.remote.control.get("/status")["state"] == "failed")
    assert pod.remote.control.get("/status")["failure"]["kind"] == "model"


def test_a_model_that_closes_its_folder_to_us_is_not_started_again_either(archive: Path, make_pod: MakePod) -> None:
    pod = ready(make_pod(), archive)
    folder = str(pod.folder / "run/ts")
    assert told(pod.remote, f"os.chmod({folder!r}, 0o555) or os._exit(1)")
    assert until(lambda: pod.remote.control.get("/status")["state"] == "failed")
    assert pod.remote.resident() == 0


def test_a_model_of_too_many_threads_is_stopped(archive: Path, make_pod: MakePod) -> None:
    pod = ready(make_pod(), archive)
    threads = "[threading.Thread(target=time.sleep, args=(60,)).start() for _ in range(600)]"
    failure = told(pod.remote, f"threading.stack_size(65536) and 0 or {threads} and time.sleep(60)")
    assert failure.detail == "The model started more than the 512 threads it may have."


def test_a_model_that_fills_the_pods_folders_is_stopped(archive: Path, make_pod: MakePod) -> None:
    pod = ready(make_pod(), archive)
    fill = "[open(f'/tmp/{n}', 'wb').write(bytes([1]) * 7 * 1024**2) for n in range(8)]"
    failure = told(pod.remote, f"{fill} and time.sleep(60)")
    assert failure.detail == "The model wrote more than the 8 MiB of files it may have."


def test_processes_that_a_model_sets_free_count_as_its_own_and_end_with_it(archive: Path, make_pod: MakePod) -> None:
    pod = ready(make_pod(), archive)
    before = pod.remote.resident()
    found(pod, "orphan()")
    assert pod.remote.resident() > before + 100 * 1024**2
    assert told(pod.remote, "os._exit(1)")
    assert until(lambda: not pod.remote.alive())
    assert pod.remote.resident() == 0

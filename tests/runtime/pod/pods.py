"""A model's pod without Kubernetes: its two containers as processes, shut in by bubblewrap about as a container is.

In a namespace of processes of its own the program is process 1 and a plain user without capabilities; it sees the
machine's files but may write only to the pod's folders. It shares the machine's network.
"""

import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Self

import dynaboard
from dynaboard import archive
from dynaboard.runtime import Limits, PodAddress, RemoteServer
from dynaboard.runtime.pod import options
from tests.runtime.conftest import LIMITS, write_handler

TOKEN = "the-token-of-this-pod"
UID = "65532"
CARD = """
name: tried
task: sentiment
handler: handler.py:Handler
batch_size: 16
card:
  summary: Made for a test.
  licence: MIT
  languages: [en]
  parameters: 1
  training_data: None.
  intended_use: Tests.
  limitations: Many.
  ethics: None.
"""


def pack(folder: Path, source: str) -> Path:
    """An archive of a handler given as source."""
    write_handler(folder / "source", source)
    (folder / "source" / "dynaboard.yaml").write_text(CARD)
    archive.build(folder / "source", folder / "model.zip")
    return folder / "model.zip"


class PodProcess:
    """One pod. `remote` is how an evaluator sees it; `process` is the container that was started last."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        # Not below pytest's folder, which is closed to other users; short, for the sockets in it.
        self.folder = Path(mkdtemp(prefix="dynaboard-pod-"))
        self.folder.chmod(0o755)
        for name in ("model", "run"):
            (self.folder / name).mkdir()
        self.termination = self.folder / "termination-log"
        self.termination.touch()
        control, inference = (f"127.0.0.1:{_free_port()}" for _ in range(2))
        self.control = control
        self.remote = RemoteServer(PodAddress("m-1", f"http://{control}", f"http://{inference}", TOKEN), limits)
        self.limits = limits
        self.process: subprocess.Popen[str] | None = None
        self._environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(dynaboard.__file__).parents[1]),
            options.CONTROL: control,
            options.INFERENCE: inference,
            options.MODEL_DIR: str(self.folder / "model"),
            options.RUN_DIR: str(self.folder / "run"),
            options.TERMINATION_LOG: str(self.termination),
        }

    def receive(self, digest: str) -> Self:
        """Start the init container."""
        self._start("receive", options.receiving(TOKEN, digest), "--bind")
        self.remote.wait_listening("receive", 30)
        return self

    def serve(self, packed: Path | None = None) -> Self:
        """Start the main container, with this archive unpacked if one is given."""
        if packed:
            with packed.open("rb") as file:
                archive.extract(file, self.folder / "model")
        self._start("serve", options.serving(TOKEN, self.limits), "--ro-bind")
        self.remote.wait_listening("serve", 30)
        return self

    def _start(self, role: str, environment: dict[str, str], bind: str) -> None:
        model_dir, run_dir, log = (str(self.folder / name) for name in ("model", "run", "termination-log"))
        fence = [
            *("bwrap", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
            *("--tmpfs", "/tmp", "--unshare-pid", "--as-pid-1", "--unshare-ipc"),
            *(word for place in _of_ours() for word in ("--ro-bind", place, place)),
            *("--unshare-user", "--uid", UID, "--gid", UID),
            *(bind, model_dir, model_dir, "--bind", run_dir, run_dir, "--bind", log, log, "--"),
        ]
        self.process = subprocess.Popen(
            [*fence, sys.executable, "-m", "dynaboard.runtime.pod", role],
            env=self._environment | environment,
            stdout=subprocess.PIPE,
            text=True,
        )

    def exit_status(self) -> int:
        """Wait for the container's end."""
        assert self.process
        return self.process.wait(20)

    def call(self, method: str, target: str, token: str | None = None) -> int:
        """The HTTP status of a call with this token."""
        connection = http.client.HTTPConnection(self.control, timeout=20)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request(method, target, b"{}" if method == "POST" else None, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def remove(self) -> None:
        """End it and remove its traces."""
        if self.process:
            self.process.kill()
            self.process.communicate()
        shutil.rmtree(self.folder)


def _of_ours() -> list[str]:
    """What the program needs of this checkout, which may itself lie below /tmp."""
    source = str(Path(dynaboard.__file__).parents[1])
    return [place for place in (sys.base_prefix, sys.prefix, source) if place.startswith("/tmp/")]


@contextmanager
def running(packed: Path, limits: Limits = LIMITS) -> Iterator[PodProcess]:
    """A pod whose model is ready."""
    pod = PodProcess(limits)
    try:
        pod.serve(packed).remote.start()
        pod.remote.wait_ready()
        yield pod
    finally:
        pod.remove()


def until(found: object, seconds: float = 10.0) -> bool:
    """Whether a condition becomes true in time."""
    assert callable(found)
    deadline = time.monotonic() + seconds
    while not found() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(found())


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])

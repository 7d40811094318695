"""How a worker is shut in: bubblewrap where it works, else limits and a scrubbed environment, for trusted models only.

In a pod limits and environment are enough: the pod is the fence (docs/operating.md).

Inside bubblewrap a model sees its own folder and the Python that runs it: no network, no other process, no capability,
no variable of ours, no writable path of the host (its socket and its log are inherited descriptors).
"""

import functools
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from dynaboard.errors import PlatformFailure
from dynaboard.runtime.limits import GIB, LARGEST_REPLY, Limits

WORKER_DIR = Path(__file__).parent / "worker"
SYSTEM_DIRS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
# Thread stacks, allocator arenas and mapped libraries take address space without taking memory.
ADDRESS_SPACE_SLACK = 1 * GIB
# Each may hide memory of the kernel's, such as what waits in a socket.
OPEN_FILES = 256
# Threads that all pods of a node may have beside a model's own processes: the kernel counts those of one user together.
THREADS_OF_PODS = 4096
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Interpreter:
    """A Python and the folders it needs to run: its environment and, below a virtual environment, its installation."""

    executable: Path
    folders: tuple[str, ...]


@functools.cache
def interpreter(python: Path | None) -> Interpreter:
    """Describe `python` (default: the one we run in). Raises PlatformFailure when it does not start."""
    if python is None:
        return Interpreter(Path(sys.executable), _outermost(sys.prefix, sys.base_prefix))
    ask = [str(python), "-I", "-c", "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')"]
    try:
        said = subprocess.run(ask, capture_output=True, text=True, timeout=30, check=True).stdout.splitlines()
    except (OSError, subprocess.SubprocessError) as error:
        raise PlatformFailure(f"The Python for models, {python}, does not start: {error}") from error
    return Interpreter(Path(said[0]), _outermost(said[1], said[2]))


def _outermost(prefix: str, base_prefix: str) -> tuple[str, ...]:
    folders = {os.path.realpath(prefix), os.path.realpath(base_prefix), prefix, base_prefix}
    return tuple(sorted(folder for folder in folders if not folder.startswith("/usr")))


def bubblewrap_command(python: Interpreter, model_dir: Path, limits: Limits) -> list[str]:
    """The bwrap command line up to the command inside. Pure, except that it looks at the host's links."""
    fence = [
        *("bwrap", "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--disable-userns"),
        *("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--hostname", "model", "--clearenv"),
        *("--ro-bind", "/usr", "/usr"),
        *_system_dirs(),
        *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
    ]
    fence += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.scratch_bytes), "--tmpfs", "/dev/shm"]
    fence += ["--remount-ro", "/dev", "--size", str(limits.scratch_bytes), "--tmpfs", "/tmp"]
    for folder in python.folders:  # after /tmp, under which they may lie
        fence += ["--ro-bind", folder, folder]
    fence += ["--ro-bind", str(WORKER_DIR), "/runtime", "--ro-bind", str(model_dir), "/model"]
    # The root itself is a tmpfs too: left writable it would be memory that nobody counts.
    return [*fence, "--remount-ro", "/", "--chdir", "/model"]


def _system_dirs() -> list[str]:
    arguments: list[str] = []
    for folder in SYSTEM_DIRS:
        if os.path.islink(folder):
            arguments += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            arguments += ["--ro-bind", folder, folder]
    return arguments


@functools.cache
def sandbox_kind() -> str:
    """`bubblewrap` when a trial run of exactly our options works on this machine, else `limits`, said loudly."""
    said = complaint()
    if not said:
        return "bubblewrap"
    logger.warning("unsandboxed: trusted models only (%s)", said)
    return "limits"


def complaint() -> str:
    """Why models cannot be fenced off on this machine; empty when they can."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed; its package is named bubblewrap"
    python = interpreter(None)
    command = [*bubblewrap_command(python, WORKER_DIR, Limits()), "--", str(python.executable), "-I", "-S", "-c", ""]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else (done.stderr.strip() or f"bwrap ended with {done.returncode}")


def environment(limits: Limits, home: str) -> dict[str, str]:
    """Everything a worker finds in its environment: nothing of ours, and as many threads as the limits say."""
    pools = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "RAYON_NUM_THREADS")
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": home,
        "TMPDIR": home,
        "PYTHONHASHSEED": "0",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
        **dict.fromkeys(pools, str(limits.threads)),
    }


def worker_command(kind: str, python: Interpreter, model_dir: Path, limits: Limits) -> Sequence[str]:
    """The command that starts a worker in a sandbox of this kind, without the arguments that TorchServe adds."""
    fence = bubblewrap_command(python, model_dir, limits) if kind == "bubblewrap" else []
    runtime = "/runtime" if fence else str(WORKER_DIR)
    return [*fence, *_setenv(fence, limits), str(python.executable), "-P", "-s", "-B", "-u", f"{runtime}/main.py"]


def _setenv(fence: Sequence[str], limits: Limits) -> list[str]:
    if not fence:
        return []
    return [*(word for item in environment(limits, "/tmp").items() for word in ("--setenv", *item)), "--"]


def worker_plan(
    model_dir: Path, handler: str, run_dir: Path, limits: Limits, python: Path | None = None, kind: str | None = None
) -> dict[str, object]:
    """What the launcher does each time TorchServe asks for a worker: the command, its environment and its job.

    `kind` is the sandbox: `bubblewrap`, `limits` or `pod`; by default the better of the first two that works here.
    """
    kind = kind or sandbox_kind()
    fenced = kind == "bubblewrap"
    model_dir, run_dir = model_dir.resolve(), run_dir.resolve()
    scratch = "/tmp" if kind == "pod" else str(run_dir / "scratch")
    rlimits = {
        "RLIMIT_AS": limits.memory_bytes + ADDRESS_SPACE_SLACK,
        "RLIMIT_NPROC": limits.processes + _threads_beside(kind),
        "RLIMIT_FSIZE": limits.scratch_bytes,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": OPEN_FILES,
    }
    return {
        "sandbox": kind,
        "command": worker_command(kind, interpreter(python), model_dir, limits),
        "environment": {"PATH": os.environ.get("PATH", os.defpath)} if fenced else environment(limits, scratch),
        "job": {
            "model_dir": "/model" if fenced else str(model_dir),
            "handler": handler,
            "limits": rlimits,
            "refusals": ["refuse_calls", "refuse_hiding", *(["refuse_network"] if kind == "pod" else [])],
            "largest_reply": LARGEST_REPLY,
        },
    }


def _threads_beside(kind: str) -> int:
    """The threads of our user: without a user namespace the kernel counts them against the model's limit too.

    In a pod those of all pods on the node count, which nobody in it sees: the sum over the model's own processes is
    watched instead, and this only keeps a fork bomb from the node.
    """
    if kind == "bubblewrap":
        return 0
    if kind == "pod":
        return THREADS_OF_PODS
    users = (process.info for process in psutil.process_iter(["uids", "num_threads"]))
    return sum(info["num_threads"] or 1 for info in users if info["uids"] and info["uids"].real == os.getuid())

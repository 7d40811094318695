"""What a measurement ran on. Numbers are ranked only within one hardware profile."""

import functools
import hashlib
import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from dynaboard.errors import PlatformFailure
from dynaboard.runtime.limits import GIB, Limits

FINGERPRINT_LENGTH = 12
NVIDIA = Path("/proc/driver/nvidia")
# Asked of the Python that runs the models, which need not be ours.
ASK = """
import json, platform
from importlib.metadata import PackageNotFoundError, version
def of(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return None
print(json.dumps({"python": platform.python_version(), "torch": of("torch"), "torchserve": of("torchserve")}))
"""


@dataclass(frozen=True)
class HardwareProfile:
    """The machine, the software under the model, and its limits. RAM in GiB, rounded: kernels keep a little.

    `gpus` are the names of the graphics processors that the driver shows, with its version.
    """

    cpu: str
    cores: int
    memory_gib: int
    machine: str
    kernel: str
    python: str
    torchserve: str | None
    torch: str | None
    limits: Limits
    gpus: tuple[str, ...] = ()

    @property
    def description(self) -> dict[str, Any]:
        """All of it, as it is stored. Machines without a graphics processor do not mention it."""
        described = asdict(self)
        if not self.gpus:
            del described["gpus"]
        return described

    @property
    def fingerprint(self) -> str:
        """The first digits of the sha256 of the description: equal exactly when all of it is equal."""
        text = json.dumps(self.description, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def hardware_profile(limits: Limits | None = None, python: Path | None = None) -> HardwareProfile:
    """Describe this machine with these limits (default: the standard ones) and the Python that runs the models.

    Raises PlatformFailure when that Python does not start.
    """
    theirs = versions(python)
    ours = versions(None)
    return HardwareProfile(
        cpu=_cpu_model(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_gib=round(psutil.virtual_memory().total / GIB),
        machine=platform.machine(),
        kernel=platform.release(),
        python=theirs["python"] or "",
        torchserve=ours["torchserve"],
        torch=theirs["torch"],
        limits=limits or Limits(),
        gpus=gpus(),
    )


@functools.cache
def versions(python: Path | None) -> dict[str, str | None]:
    """The versions of Python, torch and torchserve in an interpreter (default: ours). Raises PlatformFailure."""
    if python is None:
        return {"python": platform.python_version(), **{name: _version(name) for name in ("torch", "torchserve")}}
    try:
        said = subprocess.run([python, "-I", "-c", ASK], capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise PlatformFailure(f"The Python for models, {python}, does not start: {error}") from error
    found: dict[str, str | None] = json.loads(said)
    return found


def gpus(driver: Path = NVIDIA) -> tuple[str, ...]:
    """The graphics processors NVIDIA's driver shows, in order, each with the driver's version; none without one."""
    cards = sorted((driver / "gpus").glob("*/information"))
    release = _field(driver / "version", "NVRM version:") if cards else ""
    return tuple(f"{_field(card, 'Model:')} ({release})" for card in cards)


def _field(file: Path, name: str) -> str:
    lines = file.read_text().splitlines() if file.exists() else []
    return next((" ".join(line.removeprefix(name).split()) for line in lines if line.startswith(name)), "")


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None

"""What a measurement ran on. Numbers are ranked only within one hardware profile."""

import hashlib
import json
import os
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from dynaboard.runtime.limits import GIB, Limits

FINGERPRINT_LENGTH = 12


@dataclass(frozen=True)
class HardwareProfile:
    """The machine, the software under the model, and its limits. RAM in GiB, rounded: kernels keep a little."""

    cpu: str
    cores: int
    memory_gib: int
    machine: str
    kernel: str
    python: str
    torchserve: str | None
    torch: str | None
    limits: Limits

    @property
    def fingerprint(self) -> str:
        """The first digits of the sha256 of all of the above: equal exactly when all of it is equal."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def hardware_profile(limits: Limits | None = None) -> HardwareProfile:
    """Describe this machine with these limits (default: the standard ones)."""
    return HardwareProfile(
        cpu=_cpu_model(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_gib=round(psutil.virtual_memory().total / GIB),
        machine=platform.machine(),
        kernel=platform.release(),
        python=platform.python_version(),
        torchserve=_version("torchserve"),
        torch=_version("torch"),
        limits=limits or Limits(),
    )


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None

"""Is the machine quiet? What others take of its processors while we do nothing."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from dynaboard.measurement.profiles import Profile

PRESSURE, STAT = Path("/proc/pressure/cpu"), Path("/proc/stat")
# The greatest shares of time that still count as quiet, and processors at work for others.
MOST_PRESSURE, MOST_STEAL, MOST_BUSY = 0.05, 0.01, 0.25
# The places of idle, iowait and steal among the figures of /proc/stat; guest time is part of user time already.
IDLE, IOWAIT, STEAL, COUNTED = 3, 4, 7, 8


@dataclass(frozen=True)
class Reading:
    """The kernel's counters at one moment: seconds, and seconds of processors. None: it does not tell."""

    at: float
    waiting: float | None
    total: float | None = None
    idle: float | None = None
    steal: float | None = None


@dataclass(frozen=True)
class Quiet:
    """What was heard last: shares of time, `busy` in processors. None: the kernel does not tell.

    `pressure`: of the time in which somebody waited for a processor (PSI); `steal`: of the processors' time, taken by
    the hypervisor; `busy`: processors at work for others. `steal_during` is the steal while we measured.
    """

    quiet: bool
    waited_s: float
    pressure: float | None
    steal: float | None
    busy: float | None
    steal_during: float | None = None


def parsed(at: float, pressure: str, stat: str, ticks: float) -> Reading:
    """Counters from the texts of /proc/pressure/cpu and /proc/stat; an empty text tells nothing. Pure."""
    some = next((line for line in pressure.splitlines() if line.startswith("some")), "")
    waiting = float(some.partition("total=")[2]) / 1e6 if some else None
    words = next((line.split()[1:] for line in stat.splitlines() if line.startswith("cpu ")), [])
    if len(words) < COUNTED:
        return Reading(at, waiting)
    counted = [float(word) / ticks for word in words[:COUNTED]]
    return Reading(at, waiting, sum(counted), counted[IDLE] + counted[IOWAIT], counted[STEAL])


def heard(sooner: Reading, later: Reading, waited_s: float) -> Quiet:
    """What lies between two readings; what the kernel does not tell is None and not held against the machine. Pure."""
    seconds = max(later.at - sooner.at, 1e-9)
    pressure = steal = busy = None
    if sooner.waiting is not None and later.waiting is not None:
        pressure = (later.waiting - sooner.waiting) / seconds
    if sooner.total is not None and later.total is not None:
        total = max(later.total - sooner.total, 1e-9)
        steal = ((later.steal or 0.0) - (sooner.steal or 0.0)) / total
        busy = (total - ((later.idle or 0.0) - (sooner.idle or 0.0))) / seconds
    limits = ((pressure, MOST_PRESSURE), (steal, MOST_STEAL), (busy, MOST_BUSY))
    return Quiet(all(seen is None or seen <= most for seen, most in limits), waited_s, pressure, steal, busy)


def read() -> Reading:
    """The counters as they are now."""
    return parsed(time.perf_counter(), _text(PRESSURE), _text(STAT), os.sysconf("SC_CLK_TCK"))


def _text(path: Path) -> str:
    """Empty where the kernel does not tell: PSI may be compiled in and switched off, and then it cannot be read."""
    try:
        return path.read_text()
    except OSError:
        return ""


async def quiet(profile: Profile, reading: Callable[[], Awaitable[Reading]]) -> Quiet:
    """Listen while we do nothing, again and again until it is quiet or the profile's cap is reached.

    `reading` reads the machine's counters. Raises what it raises.
    """
    began = time.perf_counter()
    while True:
        before = await reading()
        await asyncio.sleep(profile.listen_s)
        found = heard(before, await reading(), time.perf_counter() - began)
        if found.quiet or found.waited_s >= profile.quiet_cap_s:
            return found


def during(gate: Quiet, sooner: Reading, later: Reading) -> Quiet:
    """What the gate heard, with the steal while we measured; too much of it, and it was not quiet. Pure."""
    steal = heard(sooner, later, 0.0).steal
    return replace(gate, steal_during=steal, quiet=gate.quiet and (steal is None or steal <= MOST_STEAL))

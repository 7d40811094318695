"""Is the machine quiet? What others take of its processors while we do nothing."""

from dataclasses import dataclass


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

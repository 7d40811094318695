"""What every memory sampler gives, whatever it asks: one definition of memory, one shape of result.

**Memory** is anonymous plus shared memory (`anon + shmem`): what a model allocated and what can only be dropped by
killing it. Pages of files are left out. They are charged to whoever read a file first, so the same model weighs
hundreds of MiB more on its first run than on its second, and the kernel drops them whenever it wants the room.
It is also the one figure that the process tree, both kinds of cgroup and cAdvisor's series all hold.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

PeakSource = Literal["kernel", "samples"]


@dataclass(frozen=True)
class MemoryUse:
    """Memory over one run. `samples` are (seconds since the start, bytes); `peak` is the most at any moment, in bytes.

    `peak_source` is "kernel" where a high-water mark of the kernel's saw every moment, "samples" where it is only the
    highest sample. `server` is the mean of what the model server itself (Java) used, never part of the samples;
    None where it cannot be told apart.
    """

    sampler: str
    samples: tuple[tuple[float, int], ...]
    peak: int
    peak_source: PeakSource
    server: float | None = None


class Sampler(Protocol):
    """Watches the memory of one model: `begin`, then `take` at a steady rate, then `end`."""

    name: str

    def begin(self) -> None:
        """Start a run: forget what was, reset the kernel's marks, take the first sample."""

    def take(self) -> None:
        """Take a sample now. Cheap; does nothing where samples are collected elsewhere."""

    def end(self) -> MemoryUse:
        """Take the last sample and close the run. May wait for figures; raises PlatformFailure when there are none."""

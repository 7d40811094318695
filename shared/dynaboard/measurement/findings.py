"""What a measurement found. Throughput in examples/s, times in seconds, memory in bytes, intervals at 95 %."""

from dataclasses import dataclass
from typing import NamedTuple

from dynaboard.measurement.blocks import Pair
from dynaboard.measurement.open_loop import OpenLoop
from dynaboard.measurement.paired import Ratio
from dynaboard.measurement.quiet import Quiet
from dynaboard.measurement.rest import Rest
from dynaboard.measurement.samplers import MemoryUse


class Window(NamedTuple):
    """Single requests in a row: when the first was sent (seconds into the phase), their median and their slowest."""

    start: float
    median: float
    slowest: float


@dataclass(frozen=True)
class Latency:
    """Single requests of one example, each sent when the one before has returned (MLPerf's single stream).

    `p90_upper` is the 99 % upper bound of p90, None below 44 requests; `p99` is the 99 % upper bound of p99, None below
    459. `floor` is the echo model's p50 in the same harness with the same inputs; None where there was no echo.
    `course` tells how latency went over the phase.
    """

    p50: float
    p50_interval: tuple[float, float]
    p90: float
    p90_upper: float | None
    p99: float | None
    requests: int
    floor: float | None
    course: tuple[Window, ...]


@dataclass(frozen=True)
class Memory:
    """`mean` is weighted by time over the model's own blocks (the paper's measure); `use` is the whole run's."""

    mean: float
    use: MemoryUse

    @property
    def peak(self) -> int:
        """The highest moment of the run."""
        return self.use.peak


@dataclass(frozen=True)
class Measurement:
    """What one model costs. `throughput` is the ratio to the reference times the reference's rating.

    `processors`: those that the models were kept to, none where that is not allowed.
    Flags: the profile's name if it is not the full one, and those of docs/cost-measurement.md.
    """

    ratio: Ratio
    rating: float
    pairs: tuple[Pair, ...]
    latency: Latency
    open_loop: OpenLoop
    memory: Memory
    cold_start: float
    rest: Rest
    quiet: Quiet
    processors: tuple[int, ...]
    flags: tuple[str, ...]
    profile: str
    protocol_version: str

    @property
    def throughput(self) -> float:
        """Examples a second."""
        return self.ratio.value * self.rating

    @property
    def throughput_interval(self) -> tuple[float, float]:
        """Its 95 % interval; the rating counts as known, for all models of a hardware profile share it."""
        return self.ratio.low * self.rating, self.ratio.high * self.rating


@dataclass(frozen=True)
class Side:
    """One of two models compared: its rate over all its blocks, latency, memory and cold start."""

    rate: float
    latency: Latency
    memory: Memory
    cold_start: float


@dataclass(frozen=True)
class Comparison:
    """Two models on the same inputs in turns. `ratio` is the candidate's throughput over the other's."""

    ratio: Ratio
    pairs: tuple[Pair, ...]
    candidate: Side
    other: Side
    quiet: Quiet
    processors: tuple[int, ...]
    flags: tuple[str, ...]
    profile: str
    protocol_version: str

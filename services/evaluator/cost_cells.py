"""From a measurement to cells: one a metric, with unit, interval, count, flags and provenance. Pure."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dynaboard import __version__
from dynaboard.measurement import HardwareProfile, Measurement
from dynaboard.measurement.inputs import SEED
from dynaboard.measurement.paired import BETWEEN_RUNS
from dynaboard.runtime.limits import GIB

METRIC_VERSION = "2"
TRUSTED_SANDBOXES = ("bubblewrap", "pod")
# Flags that speak of some metrics only.
OF_METRICS = {"harness": ("latency_p50", "latency_p90", "latency_p99", "server_rate")}


@dataclass(frozen=True)
class Circumstances:
    """What a model was measured on and how it was asked."""

    hardware: HardwareProfile
    sandbox: str
    batch_size: int


class Value(NamedTuple):
    """One number of one metric, in its unit, with its 95 % interval and how many observations made it."""

    metric: str
    unit: str
    value: float
    low: float | None
    high: float | None
    n: int


def cells_of(measured: Measurement, circumstances: Circumstances) -> list[dict[str, Any]]:
    """The cells of a measurement, without what names the model and the dataset."""
    common, raw = _provenance(measured, circumstances), _raw(measured)
    flags = [*measured.flags, *(() if circumstances.sandbox in TRUSTED_SANDBOXES else ("unsandboxed",))]
    return [
        {
            **value._asdict(),
            "metric_version": METRIC_VERSION,
            "flags": [flag for flag in flags if value.metric in OF_METRICS.get(flag, (value.metric,))],
            "provenance": common | raw.get(value.metric, {}),
        }
        for value in _values(measured)
    ]


def _values(measured: Measurement) -> Iterator[Value]:
    """The metrics that were measured; one that cannot be told has no cell."""
    low, high = measured.throughput_interval
    yield Value("throughput", "examples/s", measured.throughput, low, high, len(measured.pairs))
    memory, samples = measured.memory, len(measured.memory.use.samples)
    yield Value("memory", "GiB", memory.mean / GIB, None, None, samples)
    yield Value("memory_peak", "GiB", memory.peak / GIB, None, None, samples)
    yield from _latencies(measured)
    yield Value("cold_start", "s", measured.cold_start, None, None, 1)


def _latencies(measured: Measurement) -> Iterator[Value]:
    alone, loaded = measured.latency, measured.open_loop
    low, high = alone.p50_interval
    yield Value("latency_p50", "ms", alone.p50 * 1000, low * 1000, high * 1000, alone.requests)
    upper = None if alone.p90_upper is None else alone.p90_upper * 1000
    yield Value("latency_p90", "ms", alone.p90 * 1000, None, upper, alone.requests)
    if alone.p99 is not None:
        yield Value("latency_p99", "ms", alone.p99 * 1000, None, alone.p99 * 1000, alone.requests)
    if loaded.rate is not None:
        requests = sum(probe.requests for probe in loaded.probes)
        yield Value("server_rate", "requests/s", loaded.rate, None, None, requests)


def _raw(measured: Measurement) -> dict[str, dict[str, Any]]:
    """What each metric was computed from. A board leaves what is long out of its rows."""
    blocks = [
        {"pair": number, "model": name, **asdict(block)}
        for number, pair in enumerate(measured.pairs)
        for name, taken in (("candidate", pair.candidate), ("reference", pair.reference))
        for block in taken
    ]
    use, loaded, alone = measured.memory.use, measured.open_loop, measured.latency
    memory = {"sampler": use.sampler, "peak_source": use.peak_source, "server_bytes": use.server}
    rated = {"ratio": measured.ratio.value, "rating": measured.rating, "between_runs": BETWEEN_RUNS}
    floor = {"floor_ms": None if alone.floor is None else alone.floor * 1000}
    # Seconds into the phase, median and slowest in milliseconds.
    course = [[window.start, window.median * 1000, window.slowest * 1000] for window in alone.course]
    probes = [asdict(probe) for probe in loaded.probes]
    return {
        "throughput": {
            "blocks": blocks,
            "memory_samples": [list(sample) for sample in use.samples],
            "rest": asdict(measured.rest),
            **rated,
        },
        "memory": memory,
        "memory_peak": memory,
        **dict.fromkeys(("latency_p90", "latency_p99"), floor),
        "latency_p50": floor | {"course_ms": course},
        "server_rate": {"objective_ms": loaded.objective_s * 1000, "probes": probes},
    }


def _provenance(measured: Measurement, circumstances: Circumstances) -> dict[str, Any]:
    hardware = circumstances.hardware
    return {
        "hardware_profile": hardware.fingerprint,
        "protocol": measured.protocol_version,
        "profile": measured.profile,
        "versions": {
            "dynaboard": __version__,
            "python": hardware.python,
            "torchserve": hardware.torchserve,
            "torch": hardware.torch,
        },
        "sandbox": circumstances.sandbox,
        "batch_size": circumstances.batch_size,
        "processors": list(measured.processors),
        "quiet": asdict(measured.quiet),
        "seed": SEED,
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }

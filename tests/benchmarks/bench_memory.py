"""What sampling memory costs, whether it catches transients, and whether the samplers agree: real processes.

In parts: `python tests/benchmarks/bench_memory.py overhead|transients|agreement` (all without a word).
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from dynaboard.measurement.samplers import ControlGroup, ProcessTree, Prometheus, Sampler, group_of
from dynaboard.measurement.samplers.footprint import proportional
from dynaboard.measurement.statistics import time_weighted_mean
from tests.measurement.memory_hog import MIB, Hog, control_group, prometheus

HERTZ = 10.0
OVERHEAD_TARGET, TRANSIENT_TARGET, AGREEMENT_TARGET = 0.01, 0.99, 0.03
TRANSIENTS = 200


@contextmanager
def hogs(count: int, size: int) -> Iterator[Hog]:
    """A hog of so many processes and MiB, in a control group of its own where that can be had."""
    with control_group() as folder, Hog(folder / "cgroup.procs" if folder else None) as hog:
        hog.do(f"hold {size}")
        for _ in range(count - 1):
            hog.do("fork")
        yield hog


def samplers_of(hog: Hog) -> list[Sampler]:
    """Those that this machine offers."""
    group = group_of(hog.process.pid)
    return [ProcessTree(hog.pids), *([ControlGroup(group)] if group else [])]


def overhead() -> bool:
    """CPU time of this process per sample, as a share of one core at 10 Hz."""
    held = True
    for count, size in ((1, 50), (1, 2_000), (4, 500), (16, 500)):
        with hogs(count, size) as hog:
            pss = _seconds(lambda hog=hog: [proportional(pid) for pid in hog.pids()], 5)
            for sampler in samplers_of(hog):
                sampler.begin()
                share = _share_at(sampler, 5.0)
                sampler.end()
                held &= share < OVERHEAD_TARGET
                print(
                    f"{count:>3} processes sharing {size:>5} MiB, {sampler.name:<12} {share:7.2%} of a core at 10 Hz"
                    f"   (PSS of every process at every sample would be {pss * HERTZ:.2%})"
                )
    return held


def _share_at(sampler: Sampler, seconds: float) -> float:
    began, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        sampler.take()
        time.sleep(1 / HERTZ)
    return (time.process_time() - cpu) / (time.perf_counter() - began)


def _seconds(work: object, times: int) -> float:
    assert callable(work)
    cpu = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - cpu) / times


def transients() -> bool:
    """How many of 200 transients of 600 MB and 50 ms at random moments are in the peak, sampling at 10 Hz."""
    held = True
    with hogs(1, 200) as hog:
        hog.do("spike 600 0.05")
        for sampler in samplers_of(hog):
            found = sum(_caught(sampler, hog) for _ in range(TRANSIENTS))
            by_samples = sum(_caught(sampler, hog, marks=False) for _ in range(TRANSIENTS // 4))
            held &= found / TRANSIENTS >= TRANSIENT_TARGET
            print(
                f"{sampler.name:<12} {found} of {TRANSIENTS} transients in the peak"
                f"   (in the highest sample: {by_samples} of {TRANSIENTS // 4})"
            )
    return held


def _caught(sampler: Sampler, hog: Hog, marks: bool = True) -> bool:
    sampler.begin()
    over = threading.Event()

    def take() -> None:
        while not over.wait(1 / HERTZ):
            sampler.take()

    taking = threading.Thread(target=take)
    taking.start()
    hog.do("spike 600 0.05")
    over.set()
    taking.join()
    use = sampler.end()
    seen = use.peak if marks else max(size for _, size in use.samples)
    return seen > 0.99 * 800 * MIB


def agreement() -> bool:
    """The time-weighted mean of a run in which memory comes and goes, by every sampler at once."""
    with ExitStack() as stack:
        hog = stack.enter_context(hogs(1, 200))
        running = stack.enter_context(prometheus(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        running.hog = hog
        samplers = [*samplers_of(hog), Prometheus(running.url, running.selector, running.scrape_s)]
        means = _one_run(samplers, hog, 30.0)
        running.hog = None
    for name, mean in means.items():
        print(f"{name:<12} {mean / MIB:8.1f} MiB")
    spread = max(means.values()) / min(means.values()) - 1
    print(f"apart by at most {spread:.2%}")
    return spread <= AGREEMENT_TARGET


def _one_run(samplers: Sequence[Sampler], hog: Hog, seconds: float) -> dict[str, float]:
    over = threading.Event()

    def busy() -> None:
        while not over.is_set():
            hog.do("spike 100 3")
            over.wait(3)

    working = threading.Thread(target=busy)
    working.start()
    for sampler in samplers:
        sampler.begin()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for sampler in samplers:
            sampler.take()
        time.sleep(1 / HERTZ)
    uses = [sampler.end() for sampler in samplers]
    over.set()
    working.join()
    return {use.sampler: time_weighted_mean(use.samples) for use in uses}


PARTS = {"overhead": overhead, "transients": transients, "agreement": agreement}


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(PARTS)
    results = {name: PARTS[name]() for name in wanted}
    print(", ".join(f"{name}: {'held' if held else 'MISSED'}" for name, held in results.items()))
    sys.exit(not all(results.values()))

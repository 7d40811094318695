"""Large boards: a landing among 1,000,000 models (target 1 ms), a ranking of 100,000 x 10 x 5 (target 250 ms).

Run from the repository's root: `.venv/bin/python tests/benchmarks/bench_landing.py`.
"""

import sys
from pathlib import Path
from time import perf_counter

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "shared")]

from services.scoring.amrs import amrs, kept_pairs  # noqa: E402 (after the path: runs from a plain checkout)
from services.scoring.board import Board, FloatArray  # noqa: E402
from services.scoring.dynascore import dynascore  # noqa: E402
from services.scoring.method import Epsilon, EpsilonMode, Method  # noqa: E402
from services.scoring.running_amrs import RunningAmrs  # noqa: E402

METRICS = ("performance", "throughput", "memory", "fairness", "robustness")
MODELS, LANDINGS, LANDING_TARGET_MS = 1_000_000, 2_000, 1.0
RANKED, DATASETS, RANKING_TARGET_MS, RUNS = 100_000, 10, 250.0, 7
EPSILON = Epsilon(EpsilonMode.ABSOLUTE, 1e-6)


def names(count: int) -> tuple[str, ...]:
    """Ids in no order, as uuids are."""
    return tuple(f"{number * 2654435761 % 2**32:08x}" for number in range(count))


def print_line(what: str, times: list[float], target: float) -> None:
    """Median and 99th percentile in milliseconds, and the median's ratio to the target."""
    middle, late = np.percentile(times, [50, 99])
    print(f"{what}: median {middle:.3g} ms, 99th percentile {late:.3g} ms; target {target:g} ms; "
          f"ratio {middle / target:.2f}")  # fmt: skip


def landings() -> None:
    """Each landing with the new rates; at its end the rates are held against a full recomputation."""
    random = np.random.default_rng(0)
    ids, goods = names(MODELS), random.uniform(1, 100, (MODELS, len(METRICS)))
    start = perf_counter()
    running = RunningAmrs(ids, goods, 0, EPSILON)
    built, times = (perf_counter() - start) * 1e3, []
    for number in range(LANDINGS):
        row = random.uniform(1, 100, len(METRICS))
        goods[number] = row
        start = perf_counter()
        running.land(ids[number], row)
        found = running.rates()
        times.append((perf_counter() - start) * 1e3)
    expected = recomputed(ids, goods)
    print(f"{MODELS:,} models taken in at once: {built:.0f} ms; AMRS of {found.kept_pairs:,} pairs, relative "
          f"difference from a full recomputation {np.abs(found.values / expected - 1).max():.1e}")  # fmt: skip
    print_line("a landing (an update: one model leaves its place and takes another)", times, LANDING_TARGET_MS)


def recomputed(ids: tuple[str, ...], goods: FloatArray) -> FloatArray:
    """The AMRS as the leaderboard takes it."""
    goods = goods[np.lexsort((np.array(ids), -goods[:, 0]))]
    return amrs(goods, 0, kept_pairs(goods[:, 0], EPSILON.threshold(goods[:, 0])))


def rankings() -> None:
    """From the board at hand under new weights, and from an array with checks and copies."""
    values = np.random.default_rng(0).uniform(1, 30, (RANKED, DATASETS, len(METRICS)))
    values[..., 0] *= 3
    ids, sets = names(RANKED), tuple(f"dataset-{number}" for number in range(DATASETS))
    fresh, again = [], []
    for run in range(RUNS):
        start = perf_counter()
        board = Board(ids, sets, METRICS, values)
        dynascore(board, Method(budgets={"memory": 32.0}))
        middle = perf_counter()
        dynascore(board, Method({"memory": run + 1.0}, {"dataset-3": 0.5}, budgets={"memory": 32.0}))
        fresh.append((middle - start) * 1e3)
        again.append((perf_counter() - middle) * 1e3)
    what = f"{RANKED:,} models x {DATASETS} datasets x {len(METRICS)} metrics"
    print_line(f"{what} ranked from an array", fresh, RANKING_TARGET_MS)
    print_line(f"{what} ranked anew under other weights", again, RANKING_TARGET_MS)


if __name__ == "__main__":
    rankings()
    landings()

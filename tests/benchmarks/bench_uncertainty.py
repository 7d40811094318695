"""How long a change of weights takes on a large board, with all its uncertainty: target 200 ms.

100 models × 20 datasets × 5 metrics × 1,000 replicates: ranking, intervals of every metric and score, every pair
compared, simultaneous rank intervals, tie groups and the table of pairs.
Run from the repository's root: `.venv/bin/python tests/benchmarks/bench_uncertainty.py`.
"""

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "shared")]

from services.scoring.board import Board  # noqa: E402 (after the path, so that it runs from a plain checkout)
from services.scoring.dynascore import dynascore  # noqa: E402 (after the path, so that it runs from a plain checkout)
from services.scoring.method import Method  # noqa: E402 (after the path, so that it runs from a plain checkout)
from services.scoring.pairwise import pairs  # noqa: E402 (after the path, so that it runs from a plain checkout)
from services.scoring.ties import rank_intervals, tie_groups  # noqa: E402 (as above)
from services.scoring.uncertainty import Resamples, uncertainty  # noqa: E402 (as above)

MODELS, DATASETS, REPLICATES = 100, 20, 1_000
METRICS = ("performance", "throughput", "memory", "fairness", "robustness")
TARGET_MS = 200.0
RUNS = 11


def milliseconds(board: Board, resamples: Resamples, weight: float) -> tuple[float, float]:
    """One change of weights: the board with intervals and tie groups, then the table of pairs beside it."""
    start = perf_counter()
    ranking = dynascore(board, Method(budgets={"memory": 32.0}, weights={"performance": weight}))
    found = uncertainty(ranking, resamples)
    _ = found.metric_intervals, found.score_intervals
    rank_intervals(found.differences)
    tie_groups(found.differences)
    middle = perf_counter()
    pairs(found, "max-t")
    return (middle - start) * 1e3, (perf_counter() - middle) * 1e3


def main() -> None:
    """Print medians and the ratio to the target."""
    draw = np.random.default_rng(0)
    values = draw.uniform(1, 30, (MODELS, DATASETS, len(METRICS)))
    names = tuple(f"model-{number:03}" for number in range(MODELS))
    board = Board(names, tuple(f"dataset-{number}" for number in range(DATASETS)), METRICS, values)
    shape = (len(METRICS), DATASETS, MODELS, REPLICATES)
    resamples = Resamples(draw.normal(0, 1, shape).astype(np.float32))
    runs = [milliseconds(board, resamples, 1.0 + run) for run in range(RUNS)]
    shown, table = median(first for first, _ in runs), median(second for _, second in runs)
    print(f"{MODELS} models x {DATASETS} datasets x {len(METRICS)} metrics x {REPLICATES:,} replicates, new weights")
    print(f"median of {RUNS} runs: board {shown:.0f} ms, table of all pairs {table:.0f} ms")
    print(f"target {TARGET_MS:.0f} ms; ratio {(shown + table) / TARGET_MS:.2f}")


if __name__ == "__main__":
    main()

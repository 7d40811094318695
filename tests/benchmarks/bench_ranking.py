"""How long AMRS and ranking take for a very large board: 10,000 models × 10 datasets × 5 metrics, target 50 ms.

Run from the repository's root: `.venv/bin/python tests/benchmarks/bench_ranking.py`.
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

MODELS, DATASETS, METRICS = 10_000, 10, ("performance", "throughput", "memory", "fairness", "robustness")
TARGET_MS = 50.0
RUNS = 21


def milliseconds(values: np.ndarray) -> float:
    """One ranking from a fresh array, checks and copies included."""
    start = perf_counter()
    names = tuple(f"model-{number:05}" for number in range(MODELS))
    board = Board(names, tuple(f"dataset-{number}" for number in range(DATASETS)), METRICS, values)
    dynascore(board, Method(budgets={"memory": 32.0}))
    return (perf_counter() - start) * 1e3


def main() -> None:
    """Print the median and its ratio to the target."""
    values = np.random.default_rng(0).uniform(1, 30, (MODELS, DATASETS, len(METRICS)))
    values[..., 0] *= 3
    middle = median(milliseconds(values) for _ in range(RUNS))
    print(f"AMRS and ranking of {MODELS:,} models x {DATASETS} datasets x {len(METRICS)} metrics")
    print(f"median of {RUNS} runs: {middle:.1f} ms; target {TARGET_MS:.0f} ms; ratio {middle / TARGET_MS:.2f}")


if __name__ == "__main__":
    main()

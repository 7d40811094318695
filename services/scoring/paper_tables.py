"""Table 2 of the Dynaboard paper (section 6): four boards as printed, and what the paper made of them."""

import csv
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from services.scoring.board import Board, FloatArray
from services.scoring.method import Epsilon, EpsilonMode, Method

METRICS = ("performance", "throughput", "memory", "fairness", "robustness")
BUDGETS = {"memory": 32.0}  # the text says 16; only 32 reproduces the table


@dataclass(frozen=True)
class Published:
    """One task of Table 2, best Dynascore first."""

    board: Board
    method: Method
    dynascores: FloatArray
    zscores: FloatArray


def published() -> dict[str, Published]:
    """The four tasks by name."""
    with (Path(__file__).parent / "table2.csv").open() as file:
        tasks = {task: list(rows) for task, rows in groupby(csv.DictReader(file), key=lambda row: row["task"])}
    return {task: _published(task, rows) for task, rows in tasks.items()}


def _published(task: str, rows: list[dict[str, str]]) -> Published:
    # The printed gap of 0.01 between T5 and BERT stands for one below the relative epsilon.
    epsilon = Epsilon(EpsilonMode.ABSOLUTE, 0.02) if task == "hate-speech" else Epsilon()
    values = np.array([[[float(row[metric]) for metric in METRICS]] for row in rows])
    return Published(
        Board(tuple(row["model"] for row in rows), ("all",), METRICS, values),
        Method(budgets=BUDGETS, epsilon=epsilon),
        np.array([float(row["dynascore"]) for row in rows]),
        np.array([float(row["zscore"]) for row in rows]),
    )

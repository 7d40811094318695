"""The paper's own numbers: Table 2 (section 6), from its printed and therefore rounded inputs."""

import csv
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from services.scoring.board import Board, FloatArray
from services.scoring.dynascore import dynascore
from services.scoring.method import Epsilon, EpsilonMode, Method
from services.scoring.zscore import zscore

METRICS = ("performance", "throughput", "memory", "fairness", "robustness")
BUDGETS = {"memory": 32.0}  # the text says 16; only 32 reproduces the table


@dataclass(frozen=True)
class Published:
    """One task of Table 2, best Dynascore first."""

    board: Board
    method: Method
    dynascores: FloatArray
    zscores: FloatArray


def _published() -> dict[str, Published]:
    with (Path(__file__).parent / "table2.csv").open() as file:
        tasks = {task: list(rows) for task, rows in groupby(csv.DictReader(file), key=lambda row: row["task"])}
    return {
        task: Published(
            Board(
                tuple(row["model"] for row in rows),
                ("all",),
                METRICS,
                np.array([[[float(row[metric]) for metric in METRICS]] for row in rows]),
            ),
            # The printed gap of 0.01 between T5 and BERT stands for one below the relative epsilon.
            Method(
                budgets=BUDGETS, epsilon=Epsilon(EpsilonMode.ABSOLUTE, 0.02) if task == "hate-speech" else Epsilon()
            ),
            np.array([float(row["dynascore"]) for row in rows]),
            np.array([float(row["zscore"]) for row in rows]),
        )
        for task, rows in tasks.items()
    }


TABLE_2 = _published()
AMRS = {  # recomputed from the printed inputs: throughput, memory, fairness, robustness, kept pairs
    "nli": (4.902, 12.017, 5.511, 6.481, 6),
    "qa": (2.500, 15.688, 4.593, 2.326, 7),
    "sentiment": (1.275, 2.421, 0.535, 1.086, 6),
    "hate-speech": (2.312, 7.060, 2.987, 3.112, 5),
}
TOLERANCE = {"nli": 0.10, "qa": 0.21, "sentiment": 0.10, "hate-speech": 0.10}

tasks = pytest.mark.parametrize("task", TABLE_2)


@tasks
def test_order_equals_the_published_order(task: str) -> None:
    published = TABLE_2[task]
    assert list(dynascore(published.board, published.method).order) == list(range(len(published.board.models)))


@tasks
def test_dynascores_equal_the_published_up_to_rounding(task: str) -> None:
    published = TABLE_2[task]
    scores = dynascore(published.board, published.method).scores
    np.testing.assert_allclose(scores, published.dynascores, rtol=0, atol=TOLERANCE[task])


@tasks
def test_zscores_equal_the_published(task: str) -> None:
    published = TABLE_2[task]
    scores = zscore(published.board, published.method).scores
    np.testing.assert_allclose(scores, published.zscores, rtol=0, atol=0.0101)


@tasks
def test_amrs_and_kept_pairs(task: str) -> None:
    published = TABLE_2[task]
    ranking = dynascore(published.board, published.method)
    np.testing.assert_allclose(ranking.scale.units, (1.0, *AMRS[task][:4]), rtol=0, atol=0.0006)
    assert ranking.scale.kept_pairs == AMRS[task][4]


@tasks
def test_with_default_weights_the_exchange_rate_is_the_amrs(task: str) -> None:
    ranking = dynascore(TABLE_2[task].board, TABLE_2[task].method)
    np.testing.assert_allclose(np.array(ranking.exchange_rates), ranking.scale.units)


def test_relative_epsilon_keeps_the_rounded_hate_speech_gap_and_lowers_every_score() -> None:
    published = TABLE_2["hate-speech"]
    scores = dynascore(published.board, Method(budgets=BUDGETS)).scores
    expected = [42.72, 42.19, 40.48, 40.37, 40.37, 29.84, 26.81]
    np.testing.assert_allclose(scores, expected, rtol=0, atol=0.01)


def test_a_budget_of_16_does_not_reproduce_the_table() -> None:
    published = TABLE_2["sentiment"]
    scores = dynascore(published.board, Method(budgets={"memory": 16.0})).scores
    assert np.abs(scores - published.dynascores).min() > 0.5


def test_exchange_rate_falls_for_a_viewer_who_cares_more() -> None:
    board = TABLE_2["nli"].board
    plain, caring = (
        dynascore(board, Method(budgets=BUDGETS, weights=weights)) for weights in ({}, {"performance": 4, "memory": 3})
    )
    # w = 1/8; z = 3/10: the paper's (w / z) · AMRS.
    assert caring.exchange_rates[2] == pytest.approx((1 / 8) / (3 / 10) * plain.scale.units[2])

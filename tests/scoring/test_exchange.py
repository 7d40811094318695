"""What a unit of each metric is worth, in sentences."""

import pytest

from services.scoring.dynascore import dynascore
from services.scoring.exchange import exchange_sentences
from services.scoring.method import Method
from tests.scoring.boards import board

ROWS = [[80.0, 10.0, 4.0], [70.0, 30.0, 9.0]]
METHOD = Method(budgets={"memory": 32.0})


def test_each_metric_that_counts_has_one_sentence() -> None:
    assert exchange_sentences(dynascore(board(ROWS), METHOD)) == [
        "One more example a second is worth 0.5 points of performance here (AMRS 2 examples/s), "
        "and with these weights 0.125 of the score.",
        "One GiB of memory saved is worth 2 points of performance here (AMRS 0.5 GiB), "
        "and with these weights 0.5 of the score.",
    ]


def test_the_sentence_is_arithmetic_one_can_check() -> None:
    worse = board([[80.0, 10.0, 4.0], [70.0, 30.0, 10.0]])
    lost = dynascore(board(ROWS), METHOD).scores[1] - dynascore(worse, METHOD).scores[1]
    rate = dynascore(worse, METHOD).scale.units[2]
    assert rate == pytest.approx(0.6)
    assert lost == pytest.approx(0.25 * ((32 - 9) / 0.5 - (32 - 10) / 0.6))


def test_a_metric_in_which_models_hardly_differ_is_said_to_lift_every_score() -> None:
    hardly = board([[80.0, 10.0, 1.0], [70.0, 30.0, 1.001]])
    sentence = exchange_sentences(dynascore(hardly, METHOD))[-1]
    assert sentence == (
        "77,497 of every score is memory, in which neighbouring models hardly differ, so that a unit of it counts for "
        "much: read the order and the differences, not the level."
    )


def test_a_metric_left_out_or_a_board_of_one_has_no_sentence() -> None:
    assert exchange_sentences(dynascore(board(ROWS[:1]), METHOD)) == []
    assert len(exchange_sentences(dynascore(board([[80.0, 10.0, 4.0], [70.0, 10.0, 9.0]]), METHOD))) == 1


def test_another_base_counts_in_its_own_unit() -> None:
    sentences = exchange_sentences(dynascore(board(ROWS), Method(base="throughput", budgets={"memory": 32.0})))
    assert sentences[0].startswith(
        "One point of performance is worth 2 examples/s of throughput here (AMRS 0.5 points)"
    )

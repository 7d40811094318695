"""What a unit of each metric is worth on a board, one sentence each. Pure."""

import numpy as np

from services.scoring.ranking import Ranking

ONE = {
    "performance": "One point of performance",
    "throughput": "One more example a second",
    "memory": "One GiB of memory saved",
    "fairness": "One point of fairness",
    "robustness": "One point of robustness",
}
RATE_UNITS = {"throughput": "examples/s", "memory": "GiB"}
# A floor under all scores that is higher than this makes the level of the scores odd to look at.
HIGH_FLOOR = 100.0


def exchange_sentences(ranking: Ranking) -> list[str]:
    """The worth of one unit of each metric that counts, in points of the base metric and of the score."""
    base = ranking.source.method.base
    sentences = []
    for metric, rate, weight in zip(ranking.board.metrics, ranking.scale.units, ranking.weights, strict=True):
        if metric in ranking.scale.excluded or metric == base or not np.isfinite(rate):
            continue
        own, of_base = RATE_UNITS.get(metric, "points"), RATE_UNITS.get(base, "points")
        sentences.append(
            f"{ONE.get(metric, metric)} is worth {_number(1 / rate)} {of_base} of {base} here (AMRS {_number(rate)} "
            f"{own}), and with these weights {_number(weight / rate)} of the score."
        )
    return sentences + floor_sentences(ranking)


def _number(value: float) -> str:
    """Three digits, written out."""
    if value >= 1000:
        return f"{value:,.0f}"
    return np.format_float_positional(value, precision=3, fractional=False, trim="-")


def floor_sentences(ranking: Ranking) -> list[str]:
    """Which metrics lift every score by more than a hundred, and why that says nothing of the models."""
    ranked = ranking.ranks > 0
    counted = [column for column in np.flatnonzero(ranking.weights) if column != ranking.source.base]
    sentences = []
    for column in counted if ranked.any() else ():
        factor = ranking.weights[column] / ranking.scale.units[column]
        terms = factor * ranking.source.goods[ranked, column]
        if terms.min() > HIGH_FLOOR:
            metric = ranking.board.metrics[column]
            sentences.append(
                f"{terms.min():,.0f} of every score is {metric}, in which neighbouring models hardly differ, so that a "
                f"unit of it counts for much: read the order and the differences, not the level."
            )
    return sentences

"""The paper's four tables, read as a board is read here: `python -m services.scoring.worked_example` prints Markdown.

Tie groups need each model's answers to each example, which the paper does not give; so there are none here.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from services.scoring.board import FloatArray
from services.scoring.dynascore import dynascore
from services.scoring.exchange import exchange_sentences
from services.scoring.influence import Variation, epsilon_steps, rates_of, with_slope, without_each
from services.scoring.mean_rank import mean_ranks
from services.scoring.method import Slope
from services.scoring.paper_tables import METRICS, Published, published
from services.scoring.pareto import on_front
from services.scoring.ranking import Ranking
from services.scoring.weight_map import WeightMap, nearest_weights
from services.scoring.zscore import zscore

TITLES = {"nli": "NLI", "qa": "Question answering", "sentiment": "Sentiment", "hate-speech": "Hate speech"}
STEPS_SHOWN = 4


def lines() -> Iterator[str]:
    """The whole example."""
    for task, found in published().items():
        ranking = dynascore(found.board, found.method)
        yield from (f"### {TITLES[task]}", "")
        yield from _side_by_side(found, ranking)
        yield from (f"- {sentence}" for sentence in exchange_sentences(ranking))
        yield ""
        yield from _influence(ranking)
        yield from _weights(ranking)


def _side_by_side(found: Published, ranking: Ranking) -> Iterator[str]:
    columns = (ranking.scores, zscore(found.board, found.method).scores, mean_ranks(ranking))
    rows = [
        [ranking.board.models[row], *(f"{column[row]:.2f}" for column in columns), "yes" if front else "no"]
        for row, front in enumerate(on_front(ranking))
    ]
    yield from _table(["model", "Dynascore", "z-score", "mean rank", "Pareto front"], rows)


def _influence(ranking: Ranking) -> Iterator[str]:
    names = ranking.board.models
    rows = [["(all models)", *_rates(rates_of(ranking)), ""]]
    rows += [
        [f"without {names[row]}", *_rates(other.rates), _moved(names, other)] for row, other in without_each(ranking)
    ]
    median = with_slope(ranking, Slope.MEDIAN)
    rows.append(["median of slopes", *_rates(median.rates), _moved(names, median)])
    for threshold, other in list(epsilon_steps(ranking))[:STEPS_SHOWN]:
        pairs = f"epsilon {threshold:.2f}, {other.kept_pairs} pairs"
        rows.append([pairs, *_rates(other.rates), _moved(names, other)])
    yield from _table(["AMRS", *METRICS[1:], "pairs of other models in another order"], rows)


def _rates(rates: FloatArray) -> list[str]:
    return ["–" if np.isnan(rate) else f"{rate:.2f}" for rate in rates[1:]]


def _moved(names: Sequence[str], other: Variation) -> str:
    return ", ".join(f"{names[below]} above {names[above]}" for above, below in other.moved)


def _weights(ranking: Ranking) -> Iterator[str]:
    found = WeightMap.of(ranking)
    rows = []
    for model, row in enumerate(found.rows):
        weights = nearest_weights(found, model)
        name = ranking.board.models[row]
        if weights is None:
            rows.append([name, "by no weights", *[""] * len(METRICS)])
        else:
            moved = np.abs(weights - found.weights).sum() / 2
            rows.append([name, f"{100 * moved:.1f} %", *(f"{weight + 0.0:.3f}" for weight in weights)])
    yield from _table(["first if", "weight moved", *METRICS], rows)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(headings) + " |"
    yield "|---" * len(headings) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


if __name__ == "__main__":
    print("\n".join(lines()).rstrip())

"""Influence on exchange rates as it is shown. Pure."""

from typing import Any

import numpy as np

from dynaboard.comparison_schemas import EpsilonStep, InfluenceView, ModelInfluence, MovedPair, VariationView
from dynaboard.errors import Invalid
from services.scoring.board import FloatArray
from services.scoring.influence import Variation, epsilon_steps, greatest_change, rates_of, with_slope, without_each
from services.scoring.method import Slope
from services.scoring.pairs_view import named
from services.scoring.query import METRIC_NAMES
from services.scoring.sureness import shown_number
from services.scoring.uncertainty import Uncertainty
from services.scoring.view import Shown

MOST_SHOWN = 100


def influence_view(shown: Shown) -> InfluenceView:
    """Leave-one-out, epsilon and methods of one Dynascore board. Raises Invalid for another aggregation."""
    ranking = shown.ranking
    if ranking.scale.kept_pairs is None:
        raise Invalid("Only a Dynascore has exchange rates; ask with aggregation=dynascore.")
    told_apart = _told_apart(shown.uncertainty)
    models = [
        ModelInfluence(**named(shown, row).model_dump(), **_fields(shown, other, told_apart))
        for row, other in without_each(ranking)
    ]
    models.sort(key=lambda model: (-model.moved_total, -(model.greatest_change or np.inf), model.model_id))
    return InfluenceView(
        task=shown.task.name,
        base_metric=ranking.source.method.base,
        amrs_method=ranking.source.method.slope.value,
        amrs=_rates(rates_of(ranking)),
        threshold=ranking.scale.threshold,
        alarms=[_alarm(model) for model in models if model.moved],
        models=models,
        epsilon_steps=[
            EpsilonStep(threshold=threshold, **_fields(shown, other, told_apart))
            for threshold, other in epsilon_steps(ranking)
        ],
        methods={
            slope.value: VariationView(**_fields(shown, with_slope(ranking, slope), told_apart)) for slope in Slope
        },
        weights=dict(zip(METRIC_NAMES, ranking.weights.tolist(), strict=True)),
        generated_at=shown.at,
    )


def _fields(shown: Shown, other: Variation, told_apart: set[tuple[int, int]]) -> dict[str, Any]:
    entries = shown.entries
    return {
        "amrs": _rates(other.rates),
        "kept_pairs": other.kept_pairs,
        "greatest_change": shown_number(greatest_change(rates_of(shown.ranking), other.rates)),
        "moved": [
            MovedPair(above=entries[pair[0]].model_id, below=entries[pair[1]].model_id, told_apart=pair in told_apart)
            for pair in other.moved[:MOST_SHOWN]
        ],
        "moved_total": len(other.moved),
    }


def _rates(rates: FloatArray) -> dict[str, float | None]:
    return {metric: shown_number(rate) for metric, rate in zip(METRIC_NAMES, rates, strict=True)}


def _told_apart(found: Uncertainty) -> set[tuple[int, int]]:
    rows = found.rows.tolist()
    return {(rows[above], rows[below]) for above, below in np.argwhere(found.differences.different)}


def _alarm(model: ModelInfluence) -> str:
    clear = sum(pair.told_apart for pair in model.moved)
    pairs = "one pair" if model.moved_total == 1 else f"{model.moved_total} pairs"
    factor = f"changes an exchange rate by a factor of {model.greatest_change or np.inf:.5g}"
    if model.greatest_change is None:
        factor = "decides whether a metric counts at all"
    return (
        f"{model.name} v{model.version} {factor}, and so the order of {pairs} of other models; "
        f"pairs among them that the data tells apart: {clear}."
    )

"""The weight map as it is shown. Pure."""

import numpy as np

from dynaboard.comparison_schemas import FirstPlace, WeightMapView
from dynaboard.errors import Invalid
from services.scoring.board import FloatArray
from services.scoring.comparison_query import WeightMapQuery
from services.scoring.pairs_view import named
from services.scoring.query import METRIC_NAMES
from services.scoring.view import Shown
from services.scoring.weight_map import WeightMap, nearest_weights, plane, regions


def weight_map_view(shown: Shown, query: WeightMapQuery) -> WeightMapView:
    """Who could be first, by which weights. Raises Invalid for axes that are one, or not on this board."""
    ranking, found = shown.ranking, WeightMap.of(shown.ranking)
    counted = [METRIC_NAMES[metric] for metric in found.metrics]
    x, y = _axes(query, counted)
    polygons = regions(plane(found, counted.index(x), counted.index(y)))
    place = {int(row): number for number, row in enumerate(found.rows)}
    in_order = [row for row in ranking.order.tolist() if row in place]
    weights = dict(zip(counted, found.weights.tolist(), strict=True))
    return WeightMapView(
        task=shown.task.name,
        aggregation=query.aggregation,
        weights=weights,
        x=x,
        y=y,
        point=(weights[x], weights[y]),
        others=_shares(weights, x, y),
        models=[_first_place(shown, found, place[row], polygons[place[row]]) for row in in_order],
        excluded=dict(ranking.scale.excluded),
        generated_at=shown.at,
    )


def _axes(query: WeightMapQuery, counted: list[str]) -> tuple[str, str]:
    if len(counted) < 2:
        raise Invalid("A weight map needs two metrics that count; this board has fewer, see 'excluded' on the board.")
    x: str = query.x or counted[0]
    y: str = query.y or next(metric for metric in counted if metric != x)
    if x == y or x not in counted or y not in counted:
        raise Invalid(f"x and y must be two of {', '.join(counted)}, not '{x}' and '{y}'.")
    return x, y


def _shares(weights: dict[str, float], x: str, y: str) -> dict[str, float]:
    rest = {metric: weight for metric, weight in weights.items() if metric not in (x, y)}
    total = sum(rest.values())
    return {metric: weight / total if total else 0.0 for metric, weight in rest.items()}


def _first_place(shown: Shown, found: WeightMap, model: int, polygon: FloatArray) -> FirstPlace:
    row = int(found.rows[model])
    weights = nearest_weights(found, model)
    counted = [METRIC_NAMES[metric] for metric in found.metrics]
    shown_weights = None if weights is None else dict(zip(counted, (_rounded(w) for w in weights), strict=True))
    moved = None if weights is None else _rounded(np.abs(weights - found.weights).sum() / 2)
    return FirstPlace(
        **named(shown, row).model_dump(),
        rank=int(shown.ranking.ranks[row]) or None,
        can_be_first=weights is not None,
        nearest_weights=shown_weights,
        moved=moved,
        polygon=[(_rounded(a), _rounded(b)) for a, b in polygon],
    )


def _rounded(number: float) -> float:
    return round(float(number), 9) + 0.0

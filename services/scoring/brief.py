"""The board under ever new weights: ranks, scores and mean values, without uncertainty and the cells of datasets.

Of a row only rank and score depend on the metrics' weights. The rest is written once for a set of dataset weights, and
an answer is put together from such pieces: the same JSON as that of the whole view, with less in it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from math import isnan

import orjson

from dynaboard.identity import Caller
from services.scoring.kept import Kept
from services.scoring.query import METRIC_NAMES, LeaderboardQuery
from services.scoring.ranking import Ranking
from services.scoring.standing import Standing
from services.scoring.view import UNITS, Placed, heading, page

SETS_KEPT = 4
KEPT_S = 3600.0


def brief(standing: Standing, ranking: Ranking, query: LeaderboardQuery, caller: Caller) -> bytes:
    """The page of a ranking as JSON, in the form of a LeaderboardView."""
    placed = Placed(
        standing.scope.task,
        query,
        caller,
        standing.entries,
        standing.datasets,
        ranking,
        standing.results.hardware,
        datetime.now(UTC),
        standing.settings.version,
        standing.remarks,
    )
    written = _written(standing, ranking, caller)
    rows = []
    for row in page(placed):
        model = standing.entries[row].model_id
        if model not in written:
            written[model] = orjson.dumps(_constant(standing, ranking, row, caller))[1:]
        ranked = ranking.ranks[row] > 0
        place = {"rank": int(ranking.ranks[row]), "score": float(ranking.scores[row])} if ranked else _NO_PLACE
        rows.append(orjson.dumps(place)[:-1] + b"," + written[model])
    whole: bytes = orjson.dumps(heading(placed) | {"rows": orjson.Fragment(b"[" + b",".join(rows) + b"]")})
    return whole


_NO_PLACE: Mapping[str, None] = {"rank": None, "score": None}


def _written(standing: Standing, ranking: Ranking, caller: Caller) -> dict[str, bytes]:
    """The rows written so far under these dataset weights, by model."""
    sets: Kept[dict[str, bytes]] = standing.derived.setdefault("rows", Kept(SETS_KEPT, KEPT_S))
    source = ranking.source
    # Which values are missing depends on nothing else; how they are compared (base, budget) is not in these pieces.
    return sets.get((source.dataset_weights.tobytes(), caller), None, dict)


def _constant(standing: Standing, ranking: Ranking, row: int, caller: Caller) -> dict[str, object]:
    """What of a row is the same under all weights of metrics."""
    entry = standing.entries[row]
    weights = dict(zip(ranking.board.datasets, ranking.source.dataset_weights.tolist(), strict=True))
    cells = {
        (dataset.name, metric): cell
        for dataset in standing.datasets
        for metric in METRIC_NAMES
        if (cell := standing.cell(entry, dataset, metric))
    }
    flags = {flag for cell in cells.values() for flag in cell.flags}
    flags |= {"unverified"} if entry.kind == "predictions" else set()
    metrics: dict[str, object] = {}
    for metric, value in zip(METRIC_NAMES, ranking.source.values[row].tolist(), strict=True):
        count = sum(cells[name, metric].n for name in weights if weights[name] > 0 and (name, metric) in cells)
        of_one = {"metric": metric, "value": value, "n": count, "unit": UNITS[metric]}
        metrics[metric] = None if isnan(value) else of_one
    return {
        "model_id": entry.model_id,
        "submission_id": entry.submission_id,
        "name": entry.name,
        "version": entry.version,
        "owner": entry.owner_for(caller),
        "digest": entry.digest,
        "verified": entry.kind != "predictions",
        "baseline": entry.baseline,
        "published": entry.published,
        "metrics": metrics,
        "missing": [f"{metric} on {dataset}" for dataset, metric in ranking.missing(row)],
        "flags": sorted(flags),
    }

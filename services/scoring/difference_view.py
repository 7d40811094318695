"""The difference of two boards as it is shown: terms, and why in words. Pure."""

from collections.abc import Mapping
from datetime import datetime

import numpy as np

from dynaboard.board_schemas import BoardDifference, ModelDifference
from services.scoring.board_difference import CAUSES, Difference, Side, difference, words
from services.scoring.dynascore import dynascore
from services.scoring.leaderboard import Entry
from services.scoring.query import LeaderboardQuery
from services.scoring.ranking import Ranking
from services.scoring.standing import Standing
from services.scoring.zscore import zscore

AGGREGATIONS = {"dynascore": dynascore, "zscore": zscore}
MOST_NAMED = 3


def difference_view(
    before: Standing, after: Standing, query: LeaderboardQuery, times: tuple[datetime, datetime]
) -> BoardDifference:
    """Both boards under the same choices of a viewer. Raises Invalid for a weight that one of them does not know."""
    aggregation = AGGREGATIONS[query.aggregation]
    sides = [
        Side(
            aggregation(standing.board, query.method(standing.method)),
            {dataset.name: dataset.digest for dataset in standing.scored},
        )
        for standing in (before, after)
    ]
    found = difference(sides[0], sides[1], aggregation)
    rankings = [side.ranking for side in sides]
    shared = _details(before, after, rankings)
    place = np.argsort(np.argsort(rankings[1].order)[found.after_rows], kind="stable")
    models = [
        _model(before, after, rankings, found, int(row), shared | _own(before, after, sides, found, int(row)))
        for row in place[query.offset : query.offset + query.limit]
    ]
    return BoardDifference(
        task=before.scope.task.name,
        before=times[0],
        after=times[1],
        causes=list(CAUSES),
        models=models,
        joined=_only(after, rankings[1], set(found.after_rows.tolist())),
        left=_only(before, rankings[0], set(found.before_rows.tolist())),
        datasets=_datasets(before, after),
        amrs_before=_rates(rankings[0]),
        amrs_after=_rates(rankings[1]),
        excluded_before=dict(rankings[0].scale.excluded),
        excluded_after=dict(rankings[1].scale.excluded),
        memory_budget_gib_before=before.memory_budget_gib,
        memory_budget_gib_after=after.memory_budget_gib,
    )


def _model(
    before: Standing,
    after: Standing,
    rankings: list[Ranking],
    found: Difference,
    row: int,
    details: Mapping[str, str],
) -> ModelDifference:
    old, new = int(found.before_rows[row]), int(found.after_rows[row])
    scores = float(rankings[0].scores[old]), float(rankings[1].scores[new])
    terms = found.terms[row].tolist()
    name = after.entries[new].name
    return ModelDifference(
        model_id=after.entries[new].model_id,
        name=name,
        version_before=before.entries[old].version,
        version_after=after.entries[new].version,
        before=scores[0],
        after=scores[1],
        rank_before=int(rankings[0].ranks[old]),
        rank_after=int(rankings[1].ranks[new]),
        terms=dict(zip(CAUSES, terms, strict=True)),
        words=words(name, *scores, terms, details),
    )


def _details(before: Standing, after: Standing, rankings: list[Ranking]) -> dict[str, str]:
    """More of the causes that are the same for every model."""
    old, new = ({entry.model_id: entry for entry in standing.entries} for standing in (before, after))
    rates = [
        f"AMRS of {metric} {here:.3g} → {there:.3g}"
        for (metric, here), there in zip(_rates(rankings[0]).items(), _rates(rankings[1]).values(), strict=True)
        if here is not None and there is not None and here != there
    ]
    versions = before.settings.version, after.settings.version
    settings = f"the task's settings: version {versions[0]} → {versions[1]}" if versions[0] != versions[1] else ""
    excluded = [ranking.scale.excluded for ranking in rankings]
    out = [f"{metric} is left out now" for metric in excluded[1] if metric not in excluded[0]]
    back = [f"{metric} counts now" for metric in excluded[0] if metric not in excluded[1]]
    return {
        "datasets": _some(_datasets(before, after)),
        "memory budget": f"{before.memory_budget_gib:g} → {after.memory_budget_gib:g} GiB",
        "exchange rates by models that left": _some(_names(old, old.keys() - new.keys())),
        "exchange rates by models that joined": _some(_names(new, new.keys() - old.keys())),
        "exchange rates by new results": _some(rates),
        "base metric and epsilon": settings,
        "weights": settings,
        "metrics left out": _some([*out, *back]),
    }


def _own(before: Standing, after: Standing, sides: list[Side], found: Difference, row: int) -> dict[str, str]:
    """Which of a model's own results are new."""
    old, new = sides[0].board, sides[1].board
    changes = []
    for column, name in enumerate(old.datasets):
        if sides[1].digests.get(name) != sides[0].digests[name]:
            continue
        pairs = zip(
            old.metrics,
            old.values[found.before_rows[row], column],
            new.values[found.after_rows[row], new.datasets.index(name)],
            strict=True,
        )
        changes += [f"{m} on {name} {a:.4g} → {b:.4g}" for m, a, b in pairs if a != b and not np.isnan(b)]
    versions = before.entries[found.before_rows[row]].version, after.entries[found.after_rows[row]].version
    renewed = [f"version {versions[0]} → {versions[1]}"] if versions[0] != versions[1] else []
    return {"own results": _some(renewed + changes)}


def _datasets(before: Standing, after: Standing) -> list[str]:
    old, new = ({dataset.name: dataset.version for dataset in standing.scored} for standing in (before, after))
    added = [f"{name} is new" for name in new if name not in old]
    removed = [f"{name} is gone" for name in old if name not in new]
    changed = [f"{name} version {old[name]} → {new[name]}" for name in new if old.get(name, new[name]) != new[name]]
    return [*added, *removed, *changed]


def _rates(ranking: Ranking) -> dict[str, float | None]:
    units = zip(ranking.board.metrics, ranking.scale.units.tolist(), strict=True)
    return {metric: unit if np.isfinite(unit) else None for metric, unit in units}


def _only(standing: Standing, ranking: Ranking, shared: set[int]) -> list[str]:
    return [standing.entries[row].name for row in ranking.order.tolist() if ranking.ranks[row] and row not in shared]


def _names(entries: Mapping[str, Entry], ids: set[str]) -> list[str]:
    return sorted(entries[model].name for model in ids)


def _some(names: list[str]) -> str:
    """The first few, and how many more."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more

"""A ranking as it is shown: rows out, with their cells, and everything that made the numbers. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from dynaboard.identity import Caller
from dynaboard.nlp_tasks import Task
from dynaboard.schemas import CellView, LeaderboardDataset, LeaderboardRow, LeaderboardView
from dynaboard.tables import Dataset
from services.scoring.leaderboard import Entry
from services.scoring.query import METRIC_NAMES, LeaderboardQuery
from services.scoring.ranking import Ranking
from services.scoring.warnings import board_warnings

UNITS = {"performance": "%", "throughput": "examples/s", "memory": "GiB", "fairness": "%", "robustness": "%"}
# (model digest, dataset digest or "", leaderboard metric) -> its cell
Cells = Mapping[tuple[str, str, str], CellView]


@dataclass(frozen=True, eq=False)
class Shown:
    """What is shown to whom."""

    task: Task
    query: LeaderboardQuery
    caller: Caller
    entries: Sequence[Entry]
    datasets: Sequence[Dataset]
    ranking: Ranking
    hardware: str | None
    at: datetime


def page(shown: Shown) -> list[int]:
    """The rows of the page asked for, in order; the unranked, or those without the value, come last either way."""
    ranking, query = shown.ranking, shown.query
    if query.sort == "name":
        rows = sorted(range(len(shown.entries)), key=lambda row: (shown.entries[row].name, shown.entries[row].model_id))
        rows = rows if query.direction == "ascending" else rows[::-1]
    elif query.sort == "score" and query.direction == "descending":
        rows = ranking.order.tolist()
    else:
        key = ranking.scores
        if query.sort != "score":
            key = ranking.source.values[:, METRIC_NAMES.index(query.sort)]
        rows = np.lexsort((ranking.board.id_rank, key if query.direction == "ascending" else -key)).tolist()
    return rows[query.offset : query.offset + query.limit]


def view(shown: Shown, rows: Sequence[int], cells: Cells) -> LeaderboardView:
    """The answer to a viewer's request, with the given rows of the ranking."""
    source, scale, query = shown.ranking.source, shown.ranking.scale, shown.query
    is_dynascore = query.aggregation == "dynascore"
    rates = {m: float(u) if m not in scale.excluded else None for m, u in zip(METRIC_NAMES, scale.units, strict=True)}
    counted = [metric for metric in METRIC_NAMES if metric not in scale.excluded and metric != query.base]
    return LeaderboardView(
        task=shown.task.name,
        aggregation=query.aggregation,
        rows=[_row(shown, row, cells) for row in rows],
        total=len(shown.entries),
        limit=query.limit,
        offset=query.offset,
        sort=query.sort,
        order=query.direction,
        base_metric=query.base,
        weights=dict(zip(METRIC_NAMES, shown.ranking.weights.tolist(), strict=True)),
        dataset_weights=dict(zip(source.board.datasets, source.dataset_weights.tolist(), strict=True)),
        datasets=[_dataset(dataset) for dataset in shown.datasets],
        units=UNITS,
        amrs=rates if is_dynascore else {},
        exchange_rates=dict(zip(METRIC_NAMES, shown.ranking.exchange_rates, strict=True)) if is_dynascore else {},
        kept_pairs=dict.fromkeys(counted, scale.kept_pairs) if scale.kept_pairs is not None else {},
        excluded=dict(scale.excluded),
        epsilon={
            "mode": source.method.epsilon.mode.value,
            "value": source.method.epsilon.value,
            "threshold": scale.threshold,
        },
        memory_budget_gib=source.method.budgets["memory"],
        hardware_profile=shown.hardware,
        pool=sorted(shown.entries[row].submission_id for row in source.pool),
        warnings=board_warnings(shown.task.name),
        generated_at=shown.at,
    )


def _dataset(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "version": dataset.version,
        "digest": dataset.digest,
        "role": dataset.role,
        "examples": dataset.examples,
    }


def _row(shown: Shown, row: int, cells: Cells) -> LeaderboardRow:
    entry, ranking = shown.entries[row], shown.ranking
    weights = dict(zip(ranking.board.datasets, ranking.source.dataset_weights.tolist(), strict=True))
    of_datasets = [
        LeaderboardDataset(
            name=dataset.name,
            version=dataset.version,
            digest=dataset.digest,
            role=dataset.role,
            weight=weights.get(dataset.name, 0.0),
            cells=_cells_of(entry, dataset, cells),
        )
        for dataset in shown.datasets
    ]
    verified = entry.kind != "predictions"
    flags = {flag for of_one in of_datasets for cell in of_one.cells.values() for flag in cell.flags}
    ranked = ranking.ranks[row] > 0
    return LeaderboardRow(
        rank=int(ranking.ranks[row]) if ranked else None,
        score=float(ranking.scores[row]) if ranked else None,
        model_id=entry.model_id,
        submission_id=entry.submission_id,
        name=entry.name,
        version=entry.version,
        owner=entry.owner_for(shown.caller),
        digest=entry.digest,
        verified=verified,
        baseline=entry.baseline,
        published=entry.published,
        metrics={
            metric: _mean(metric, float(value), [of_one for of_one in of_datasets if of_one.weight > 0])
            for metric, value in zip(METRIC_NAMES, ranking.source.values[row], strict=True)
        },
        missing=[f"{metric} on {dataset}" for dataset, metric in ranking.missing(row)],
        flags=sorted(flags if verified else flags | {"unverified"}),
        datasets=of_datasets,
    )


def _cells_of(entry: Entry, dataset: Dataset, cells: Cells) -> dict[str, CellView]:
    found = {
        metric: cells.get((entry.digest, dataset.digest, metric), cells.get((entry.digest, "", metric)))
        for metric in METRIC_NAMES
    }
    return {metric: cell for metric, cell in found.items() if cell is not None}


def _mean(metric: str, value: float, datasets: Sequence[LeaderboardDataset]) -> CellView | None:
    """The weighted mean over the datasets it applies to; drawn independently, so the half widths add as squares."""
    if np.isnan(value):
        return None
    counted = [dataset for dataset in datasets if metric in dataset.cells]
    total = sum(dataset.weight for dataset in counted)
    below = above = 0.0
    bounded, n = True, 0
    for dataset in counted:
        cell, weight = dataset.cells[metric], dataset.weight / total
        n += cell.n
        if cell.low is None or cell.high is None:
            bounded = False
            continue
        below += (weight * (cell.value - cell.low)) ** 2
        above += (weight * (cell.high - cell.value)) ** 2
    return CellView(
        metric=metric,
        value=value,
        low=value - below**0.5 if bounded else None,
        high=value + above**0.5 if bounded else None,
        n=n,
        unit=UNITS[metric],
        flags=sorted({flag for dataset in counted for flag in dataset.cells[metric].flags}),
        provenance={"mean_over": [dataset.digest for dataset in counted]},
    )

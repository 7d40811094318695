"""A ranking as it is shown: rows out, with their cells, and everything that made the numbers. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from dynaboard.identity import Caller
from dynaboard.leaderboard_schemas import CellView, LeaderboardDataset, LeaderboardRow, LeaderboardView
from dynaboard.nlp_tasks import Task
from dynaboard.tables import Dataset
from services.scoring.board import FloatArray
from services.scoring.exchange import exchange_sentences
from services.scoring.intervals import within
from services.scoring.leaderboard import Entry
from services.scoring.mean_rank import mean_ranks
from services.scoring.metrics import performance_of
from services.scoring.metrics.delta import VERSION as DELTA_VERSION
from services.scoring.query import METRIC_NAMES, LeaderboardQuery
from services.scoring.ranking import Ranking
from services.scoring.sureness import head, row_fields, shown_number
from services.scoring.uncertainty import Uncertainty
from services.scoring.warnings import board_warnings

UNITS = {"performance": "%", "throughput": "examples/s", "memory": "GiB", "fairness": "%", "robustness": "%"}
# (model digest, dataset digest or "", leaderboard metric) -> its cell
Cells = Mapping[tuple[str, str, str], CellView]


@dataclass(frozen=True, eq=False)
class Placed:
    """Models with their places, and who asked for them."""

    task: Task
    query: LeaderboardQuery
    caller: Caller
    entries: Sequence[Entry]
    datasets: Sequence[Dataset]
    ranking: Ranking
    hardware: str | None
    at: datetime
    settings_version: int | None
    remarks: Sequence[str]


@dataclass(frozen=True, eq=False)
class Shown(Placed):
    """What is shown to whom, with how sure it is."""

    uncertainty: Uncertainty


def page(shown: Placed) -> list[int]:
    """The rows of the page asked for, in order; the unranked, or those without the value, come last either way."""
    ranking, query = shown.ranking, shown.query
    if query.sort == "name":
        rows = sorted(range(len(shown.entries)), key=lambda row: (shown.entries[row].name, shown.entries[row].model_id))
        rows = rows if query.direction == "ascending" else rows[::-1]
    elif query.sort == "score" and query.direction == "descending":
        rows = ranking.order.tolist()
    else:
        key = _key(ranking, query.sort)
        rows = np.lexsort((ranking.board.id_rank, key if query.direction == "ascending" else -key)).tolist()
    return rows[query.offset : query.offset + query.limit]


def _key(ranking: Ranking, column: str) -> FloatArray:
    """What rows are ordered by, shape (models,)."""
    if column == "score":
        return ranking.scores
    return mean_ranks(ranking) if column == "mean_rank" else ranking.source.values[:, METRIC_NAMES.index(column)]


def view(shown: Shown, rows: Sequence[int], cells: Cells) -> LeaderboardView:
    """The answer to a viewer's request, with the given rows of the ranking."""
    sureness = row_fields(shown.uncertainty)
    shown_rows = [_row(shown, row, cells, sureness[row]) for row in rows]
    return LeaderboardView(**heading(shown), rows=shown_rows, uncertainty=head(shown.uncertainty))


def heading(shown: Placed) -> dict[str, Any]:
    """Everything that made the numbers: the fields of a LeaderboardView other than its rows and their uncertainty."""
    source, scale, query = shown.ranking.source, shown.ranking.scale, shown.query
    is_dynascore = query.aggregation == "dynascore"
    rates = {m: float(u) if m not in scale.excluded else None for m, u in zip(METRIC_NAMES, scale.units, strict=True)}
    counted = [metric for metric in METRIC_NAMES if metric not in scale.excluded and metric != source.method.base]
    return {
        "task": shown.task.name,
        "aggregation": query.aggregation,
        "total": len(shown.entries),
        "limit": query.limit,
        "offset": query.offset,
        "sort": query.sort,
        "order": query.direction,
        "base_metric": source.method.base,
        "weights": dict(zip(METRIC_NAMES, shown.ranking.weights.tolist(), strict=True)),
        "dataset_weights": dict(zip(source.board.datasets, source.dataset_weights.tolist(), strict=True)),
        "settings_version": shown.settings_version,
        "task_weights": source.task_weights,
        "task_dataset_weights": source.task_dataset_weights,
        "datasets": [_dataset(dataset) for dataset in shown.datasets],
        "units": UNITS,
        "amrs": rates if is_dynascore else {},
        "exchange_rates": dict(zip(METRIC_NAMES, shown.ranking.exchange_rates, strict=True)) if is_dynascore else {},
        "kept_pairs": dict.fromkeys(counted, scale.kept_pairs) if scale.kept_pairs is not None else {},
        "excluded": dict(scale.excluded),
        "epsilon": {
            "mode": source.method.epsilon.mode.value,
            "value": source.method.epsilon.value,
            "threshold": scale.threshold,
        },
        "metric_versions": {} if query.as_of else metric_versions(shown.task),
        "memory_budget_gib": source.method.budgets["memory"],
        "hardware_profile": shown.hardware,
        "pool": sorted(shown.entries[row].submission_id for row in source.pool),
        "tag": query.tag,
        "amrs_method": query.amrs_method.value,
        "explanations": [*shown.remarks, *(exchange_sentences(shown.ranking) if is_dynascore else [])],
        "warnings": board_warnings(shown.task),
        "generated_at": shown.at,
    }


def metric_versions(task: Task) -> dict[str, str]:
    """The versions of the metrics of quality that a board shows now, by their names."""
    ranks = performance_of(task)
    return {ranks.name: str(ranks.version)} | dict.fromkeys(task.suites, str(DELTA_VERSION))


def _dataset(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "version": dataset.version,
        "digest": dataset.digest,
        "role": dataset.role,
        "examples": dataset.examples,
    }


def _row(shown: Shown, row: int, cells: Cells, sureness: Mapping[str, Any]) -> LeaderboardRow:
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
        **sureness,
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
            metric: _mean(metric, float(value), ends, [of_one for of_one in of_datasets if of_one.weight > 0])
            for metric, value, ends in zip(
                METRIC_NAMES, ranking.source.values[row], shown.uncertainty.metric_intervals[row], strict=True
            )
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


def _mean(metric: str, value: float, ends: Sequence[float], datasets: Sequence[LeaderboardDataset]) -> CellView | None:
    """The weighted mean over the datasets it applies to; no interval where nothing tells how far it could be off."""
    if np.isnan(value):
        return None
    counted = [dataset.cells[metric] for dataset in datasets if metric in dataset.cells]
    known = ends[0] < ends[1] or all(cell.low is not None for cell in counted)
    low, high = (shown_number(within(UNITS[metric], value, float(end))) if known else None for end in ends)
    return CellView(
        metric=metric,
        value=value,
        low=low,
        high=high,
        n=sum(cell.n for cell in counted),
        unit=UNITS[metric],
        flags=sorted({flag for cell in counted for flag in cell.flags}),
        provenance={"mean_over": [dataset.digest for dataset in datasets if metric in dataset.cells]},
    )

"""What a board's rows and its head say of uncertainty, as they are shown. Pure."""

from typing import Any

import numpy as np

from dynaboard.leaderboard_schemas import BoardUncertainty
from services.scoring.board import FloatArray
from services.scoring.dynascore import dynascore
from services.scoring.intervals import CONFIDENCE
from services.scoring.mean_rank import mean_ranks
from services.scoring.pareto import on_front
from services.scoring.ties import rank_intervals, tie_groups
from services.scoring.uncertainty import Uncertainty, amrs_intervals
from services.scoring.zscore import zscore

Fields = list[dict[str, Any]]


def shown_number(value: float) -> float | None:
    """Six digits, as many as bootstrap ends could ever bear; None for NaN."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def row_fields(found: Uncertainty) -> Fields:
    """Interval of score and rank, tie group, other aggregations and the Pareto front, for each row of the ranking."""
    fields: Fields = [
        {"score_low": shown_number(low), "score_high": shown_number(high)} for low, high in found.score_intervals
    ]
    ranks, groups, firsts = rank_intervals(found.differences), tie_groups(found.differences), first_shares(found)
    for place, row in enumerate(found.rows):
        best, worst = ranks[place].tolist()
        fields[row] |= {"rank_low": best, "rank_high": worst, "tie_group": int(groups[place])}
        fields[row] |= {"first": shown_number(firsts[place])}
    for row, others in enumerate(_aggregations(found)):
        fields[row] |= others
    return fields


def first_shares(found: Uncertainty) -> FloatArray:
    """The share of resamples in which each ranked model has the highest score; equal highest ones share it."""
    if not len(found.rows):
        return np.empty(0)
    scores = found.ranking.scores[found.rows, None] + found.scores.astype(np.float64)
    highest = scores == scores.max(axis=0)
    return np.asarray((highest / highest.sum(axis=0)).mean(axis=1))


def _aggregations(found: Uncertainty) -> Fields:
    ranking, method = found.ranking, found.ranking.source.method
    columns = {
        "dynascore": dynascore(ranking.board, method).scores,
        "zscore": zscore(ranking.board, method).scores,
        "mean_rank": mean_ranks(ranking),
    }
    front = on_front(ranking)
    return [
        {
            "aggregations": {name: shown_number(values[row]) for name, values in columns.items()},
            "pareto": bool(front[row]) if ranking.ranks[row] else None,
        }
        for row in range(len(ranking.ranks))
    ]


def head(found: Uncertainty) -> BoardUncertainty:
    """The methods, and the interval of each AMRS; none for a metric that is left out, or aggregations without one."""
    excluded = found.ranking.scale.excluded
    ends = {
        metric: None if np.isnan(low) or metric in excluded else (low, high)
        for metric, (low, high) in zip(found.ranking.board.metrics, amrs_intervals(found).tolist(), strict=True)
        if metric != found.ranking.source.method.base
    }
    return BoardUncertainty(
        confidence=CONFIDENCE,
        replicates=found.metrics.shape[-1],
        method=found.differences.method,
        critical_value=shown_number(found.differences.critical) or 0.0,
        amrs=ends if found.ranking.scale.kept_pairs is not None else {},
        unpaired_cells=found.resamples.unpaired,
        certain_cells=found.resamples.certain,
    )

"""A frozen leaderboard ranked again from the numbers and resamples that its bundle holds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from dynaboard.bundle.document import BundleDocument
from dynaboard.errors import Invalid
from dynaboard.leaderboard_schemas import LeaderboardRow, LeaderboardView
from services.scoring.bundles.board_contents import BOARD, REPLICATES
from services.scoring.bundles.recomputing import TOLERANCE, Recomputed
from services.scoring.bundles.unpacking import Folder, Unpacked
from services.scoring.frozen_board import AGGREGATIONS, frozen_board, frozen_method
from services.scoring.query import METRIC_NAMES
from services.scoring.ranking import Ranking
from services.scoring.sureness import row_fields
from services.scoring.uncertainty import Resamples, uncertainty

# Ends of intervals are shown with six digits, the last of which may fall either way.
SHOWN_TOLERANCE = 2e-5
# What follows from resamples alone.
UNSURE = ("score_low", "score_high", "rank_low", "rank_high", "tie_group", "first")
KEPT_BACK = "it follows from resamples, which would give labels away; the bundle of a task owner holds them"
# A GiB of them.
MOST_NUMBERS = 2**28


def recompute_board(unpacked: Unpacked) -> Iterator[Recomputed]:
    """The cells, the scale, and every model's score, rank and intervals. Raises Invalid for a broken bundle."""
    view = _view(unpacked.files)
    yield from _cells(view, unpacked.document)
    method = replace(
        frozen_method(view),
        weights=unpacked.document.chosen.get("weights", {}),
        dataset_weights=unpacked.document.chosen.get("dataset_weights", {}),
    )
    ranking = AGGREGATIONS[view.aggregation](frozen_board(view), method)
    yield from _scale(view, ranking)
    sure = unpacked.files.has(REPLICATES)
    found = uncertainty(ranking, _resamples(unpacked.files, view) if sure else _none(view))
    for place, (row, fields) in enumerate(zip(view.rows, row_fields(found), strict=True)):
        yield from _means(row, ranking, place)
        withheld = {name for name in fields if name in UNSURE and not sure}
        yield from (Recomputed(f"{name} of {row.name}", withheld=KEPT_BACK) for name in sorted(withheld))
        known = {name: value for name, value in fields.items() if name not in withheld}
        yield from _row(row, _ranked(ranking, place) | known)


def _view(files: Folder) -> LeaderboardView:
    with files.open(BOARD) as stream:
        try:
            return LeaderboardView.model_validate_json(stream.read())
        except ValidationError as error:
            raise Invalid(f"The bundle's {BOARD} cannot be read: {error.errors()[0]['msg']}.") from error


def _resamples(files: Folder, view: LeaderboardView) -> Resamples:
    """How far each cell could be off. Raises Invalid for what does not fit the board."""
    expected = (len(METRIC_NAMES), len(view.dataset_weights), len(view.rows))
    try:
        with files.open(REPLICATES) as stream, ZipFile(stream) as held:
            deviations = _array(held, "deviations", expected).astype(np.float32)
            unpaired, certain = _array(held, "counts", ()).tolist()
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise Invalid(f"The bundle's {REPLICATES} cannot be read: {error}") from error
    return Resamples(deviations, unpaired, certain)


def _none(view: LeaderboardView) -> Resamples:
    """No cell is off: what does not follow from resamples is the same."""
    return Resamples(np.zeros((len(METRIC_NAMES), len(view.dataset_weights), len(view.rows), 1), dtype=np.float32))


def _array(held: ZipFile, name: str, expected: tuple[int, ...]) -> NDArray[Any]:
    """An array of this shape and one axis more. The shape is looked at first: a small file may claim terabytes.

    Raises KeyError and ValueError for another.
    """
    with held.open(f"{name}.npy") as stream:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError(f"{name} is of another version of the format")
        shape, _, kind = np.lib.format.read_array_header_1_0(stream)
    if shape[:-1] != expected or prod(shape) > MOST_NUMBERS or kind.kind not in "fiu":
        raise ValueError(f"{name} has the shape {shape}, its board {expected}")
    with held.open(f"{name}.npy") as stream:
        return np.asarray(np.lib.format.read_array(stream, allow_pickle=False))


def _cells(view: LeaderboardView, document: BundleDocument) -> Iterator[Recomputed]:
    """Each number of a row is one of the bundle's cells, with its provenance."""
    known: dict[tuple[str, str], list[float]] = {}
    for cell in document.cells:
        known.setdefault((cell.model_digest, cell.dataset_digest), []).append(cell.value)
    for row in view.rows:
        for dataset in row.datasets:
            own = [*known.get((row.digest, dataset.digest), ()), *known.get((row.digest, ""), ())]
            for metric, shown in dataset.cells.items():
                wrong = None if shown.value in own else f"the board shows {shown.value}, and no cell says so"
                yield Recomputed(f"{metric} of {row.name} on {dataset.name}", difference=wrong)


def _scale(view: LeaderboardView, ranking: Ranking) -> Iterator[Recomputed]:
    """The weights, and for the Dynascore each AMRS."""
    for metric, weight in zip(METRIC_NAMES, ranking.weights.tolist(), strict=True):
        yield _compared(f"the weight of {metric}", view.weights.get(metric), weight)
    for metric, unit in zip(METRIC_NAMES, ranking.scale.units.tolist(), strict=True):
        if metric in view.amrs:
            yield _compared(
                f"the AMRS of {metric}", view.amrs[metric], None if metric in ranking.scale.excluded else unit
            )
    if view.exchange_rates:
        for metric, rate in zip(METRIC_NAMES, ranking.exchange_rates, strict=True):
            yield _compared(f"the exchange rate of {metric}", view.exchange_rates.get(metric), rate)


def _means(row: LeaderboardRow, ranking: Ranking, place: int) -> Iterator[Recomputed]:
    """Each metric's mean over the datasets."""
    for metric, value in zip(METRIC_NAMES, ranking.source.values[place].tolist(), strict=True):
        stated = row.metrics.get(metric)
        computed = None if np.isnan(value) else value
        yield _compared(f"the mean {metric} of {row.name}", None if stated is None else stated.value, computed)


def _ranked(ranking: Ranking, place: int) -> dict[str, Any]:
    ranked = bool(ranking.ranks[place] > 0)
    return {
        "rank": int(ranking.ranks[place]) if ranked else None,
        "score": float(ranking.scores[place]) if ranked else None,
    }


def _row(row: LeaderboardRow, found: Mapping[str, Any]) -> Iterator[Recomputed]:
    for name, computed in found.items():
        stated = getattr(row, name)
        pairs = (
            ((f"{name} {key}", stated.get(key), computed[key]) for key in computed) if name == "aggregations" else ()
        )
        for title, there, here in pairs or ((name, stated, computed),):
            yield _compared(f"{title} of {row.name}", there, here)


def _compared(title: str, stated: Any, computed: Any) -> Recomputed:
    if stated is None or computed is None:
        same = stated is computed
    else:
        shown = title.startswith(("score_", "first ", "aggregations"))
        same = abs(stated - computed) <= (SHOWN_TOLERANCE if shown else TOLERANCE) * max(1.0, abs(stated))
    wrong = None if same else f"the board states {stated}, its numbers give {computed}"
    return Recomputed(title, difference=wrong)

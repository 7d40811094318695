"""The resamples of a board's cells, out of the database once: a cell never changes, so what is loaded stays true."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.tables import Measurement, Score
from services.scoring.block_costs import RATE_BETWEEN_RUNS, Blocks, between_runs
from services.scoring.intervals import REPLICATES
from services.scoring.query import METRIC_NAMES
from services.scoring.replicates import Replicates, decoded, of_interval, seed_of_cell
from services.scoring.standing import Standing
from services.scoring.standings import Standings
from services.scoring.uncertainty import Resamples

Key = tuple[str, str, str]  # model digest, dataset digest or "", leaderboard metric
BOARDS_KEPT = 8
CELLS_KEPT = 40_000  # of 4 kB each


@dataclass(frozen=True, eq=False)
class Cell:
    """How far a cell could be off, shape (replicates,); None where nothing tells. `paired`: resamples are shared."""

    deviations: Replicates | None
    paired: bool = True


class Resampled:
    """Keeps what was loaded: single cells, and whole boards for the next change of weights. For many threads."""

    def __init__(self) -> None:
        self._cells: OrderedDict[tuple[str, int], Cell] = OrderedDict()
        self._boards: OrderedDict[object, Resamples] = OrderedDict()
        self._lock = Lock()
        self.standings = Standings()

    def of(self, db: Session, standing: Standing) -> Resamples:
        """The resamples of its cells."""
        digests = [entry.digest for entry in standing.entries]
        scored, ids = standing.scored, standing.places
        name = (tuple(digests), tuple(dataset.digest for dataset in scored), tuple(ids.items()))
        with self._lock:
            known = self._boards.get(name)
        if known is None:
            known = _stacked(digests, [dataset.digest for dataset in scored], self._loaded(db, ids))
            with self._lock:
                self._boards[name] = known
                _shrink(self._boards, BOARDS_KEPT)
        return known

    def at(
        self, db: Session, models: Sequence[str], datasets: Sequence[str], places: Mapping[Key, tuple[str, int]]
    ) -> Resamples:
        """The resamples of these very cells, by the digests of models and datasets; for boards of the past."""
        return _stacked(models, datasets, self._loaded(db, places))

    def _loaded(self, db: Session, ids: Mapping[Key, tuple[str, int]]) -> dict[Key, Cell]:
        with self._lock:
            known = {place: self._cells[place] for place in ids.values() if place in self._cells}
        unknown = [place for place in ids.values() if place not in known]
        fresh = {("scores", number): cell for number, cell in _scores(db, _numbers(unknown, "scores"))}
        # Of a model all its costs: the blocks of its throughput are its memory's too.
        measured = {key[0] for key, place in ids.items() if place[0] == "measurements" and place not in known}
        costs = [number for key, (table, number) in ids.items() if table == "measurements" and key[0] in measured]
        fresh |= {("measurements", number): cell for number, cell in _costs(db, costs)}
        with self._lock:
            self._cells.update(fresh)
            _shrink(self._cells, CELLS_KEPT)
        known |= fresh
        return {key: known[place] for key, place in ids.items()}


def _shrink(kept: OrderedDict[Any, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)


def _numbers(places: Iterable[tuple[str, int]], table: str) -> list[int]:
    return [number for name, number in places if name == table]


def _scores(db: Session, ids: Sequence[int]) -> Iterable[tuple[int, Cell]]:
    columns = (Score.id, Score.model_digest, Score.dataset_digest, Score.metric)
    wanted = select(*columns, Score.value, Score.low, Score.high, Score.replicates).where(Score.id.in_(ids))
    for number, *key, value, low, high, stored in db.execute(wanted) if ids else ():
        if stored is not None:
            yield number, Cell(decoded(stored, value) - np.float32(value))
        else:
            yield number, _stand_in(key, value, low, high)


def _costs(db: Session, ids: Sequence[int]) -> Iterable[tuple[int, Cell]]:
    """Cost cells of whole measurements; the blocks of throughput and memory both lie in the cell of the throughput."""
    if not ids:
        return
    wanted = db.scalars(select(Measurement).where(Measurement.id.in_(ids))).all()
    blocks = {_measured(cell): Blocks.of(cell.provenance) for cell in wanted if cell.metric == "throughput"}
    for cell in wanted:
        found = blocks.get(_measured(cell))
        seed = seed_of_cell(*_measured(cell))
        deviations = found.deviations(cell.metric, seed) if found else None
        within = (
            Cell(deviations) if deviations is not None else _stand_in(_measured(cell), cell.value, cell.low, cell.high)
        )
        runs = between_runs(cell.metric, cell.value, seed, found.between_runs if found else RATE_BETWEEN_RUNS)
        yield cell.id, Cell(runs if within.deviations is None else within.deviations + runs, within.paired)


def _measured(cell: Measurement) -> tuple[str, str, str, str]:
    return cell.model_digest, cell.dataset_digest, cell.hardware_profile, cell.protocol_version


def _stand_in(key: Iterable[str], value: float, low: float | None, high: float | None) -> Cell:
    if low is None or high is None:
        return Cell(None)
    return Cell(of_interval(0.0, low - value, high - value, seed_of_cell(*key)), paired=False)


def _stacked(digests: Sequence[str], scored: Sequence[str], cells: Mapping[Key, Cell]) -> Resamples:
    """One array of all cells. Where cells differ in their number of replicates, the first ones are the same draws."""
    lengths = [len(cell.deviations) for cell in cells.values() if cell.deviations is not None]
    shape = (len(METRIC_NAMES), len(scored), len(digests), min(lengths, default=REPLICATES))
    deviations = np.zeros(shape, dtype=np.float32)
    unpaired = certain = 0
    for column, dataset in enumerate(scored):
        for depth, metric in enumerate(METRIC_NAMES):
            for row, model in enumerate(digests):
                cell = cells.get((model, dataset, metric)) or cells.get((model, "", metric))
                if cell is None:
                    continue
                unpaired += not cell.paired
                certain += cell.deviations is None
                if cell.deviations is not None:
                    deviations[depth, column, row] = cell.deviations[: shape[-1]]
    deviations.flags.writeable = False
    return Resamples(deviations, unpaired, certain)

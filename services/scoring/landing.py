"""A board that stands, with what has landed since: only the models it touches are read, not a million cells again."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sqlalchemy import select, true
from sqlalchemy.orm import Session

from dynaboard.identity import Caller
from dynaboard.tables import Board as BoardRecord
from dynaboard.tables import Measurement, Publication, Score, Submission
from services.scoring.board import Board
from services.scoring.freshness import Token
from services.scoring.leaderboard import COSTS, Entry, Places, entries, hardware_of, protocol_of
from services.scoring.standing import Standing, board_of

MOST_CHANGED = 50


@dataclass(frozen=True)
class _Changes:
    """Models that landed, appeared or vanished, and digests that have new cells."""

    models: frozenset[str]
    digests: frozenset[str]


def landed(db: Session, standing: Standing, since: Token, now: Token, caller: Caller) -> Standing | None:
    """What `read_standing` would read now of a board that was right at `since`; None where it must be read whole.

    That is after any change but landings, publications and cells, and of slices and boards of the past.
    """
    scope = standing.scope
    if scope.at is not None or scope.tag or since.others != now.others:
        return None
    changes = _changes(db, standing, since)
    if len(changes.models) + len(changes.digests) > MOST_CHANGED:
        return None
    fresh = entries(db, scope.task, caller, scope.viewer is not None, models=changes.models) if changes.models else []
    stay = [entry for entry in standing.entries if entry.model_id not in changes.models]
    anew = [*fresh, *(entry for entry in stay if entry.digest in changes.digests)]
    if not anew and len(stay) == len(standing.entries):
        return standing
    listed = sorted([*stay, *fresh], key=lambda entry: entry.model_id)
    if _other_machine(db, standing, anew, listed):
        return None
    return _with_rows(db, standing, listed, anew)


def _changes(db: Session, standing: Standing, since: Token) -> _Changes:
    task = standing.scope.task.name
    of_landings = (
        select(Submission.model_id, Submission.digest)
        .join(BoardRecord, BoardRecord.submission_id == Submission.id)
        .where(BoardRecord.task == task, BoardRecord.id > int(since.board or 0))
    )
    landings = db.execute(of_landings).all()
    shown = select(Publication.model_id).where(Publication.task == task, Publication.id > int(since.publication or 0))
    scored = select(Score.model_digest).where(Score.id > int(since.score or 0)).distinct()
    measured = select(Measurement.model_digest).where(Measurement.id > int(since.measurement or 0)).distinct()
    # Cells of other tasks are told apart by whose they are. A digest may be that of several models.
    cells = {*db.scalars(scored), *db.scalars(measured)} & {entry.digest for entry in standing.entries}
    models = {model for model, _ in landings} | set(db.scalars(shown))
    return _Changes(frozenset(models), frozenset(cells | {digest for _, digest in landings if digest}))


def _other_machine(db: Session, standing: Standing, anew: Sequence[Entry], listed: Sequence[Entry]) -> bool:
    """Whether the commonest hardware profile, or protocol on it, is another now."""
    results, asked = standing.results, standing.scope.hardware
    of_them = select(Measurement.hardware_profile, Measurement.protocol_version).where(
        Measurement.model_digest.in_([entry.digest for entry in anew]),
        Measurement.metric.in_(COSTS),
        Measurement.hardware_profile == asked if asked else true(),
    )
    joined_only = {entry.digest for entry in standing.entries} <= {entry.digest for entry in listed}
    fresh = {tuple(row) for row in db.execute(of_them.distinct())}
    if joined_only and fresh <= {(results.hardware, results.protocol)}:
        return False
    hardware = asked or hardware_of(db, listed)
    return (hardware, protocol_of(db, listed, hardware)) != (results.hardware, results.protocol)


def _with_rows(db: Session, standing: Standing, listed: Sequence[Entry], anew: Sequence[Entry]) -> Standing:
    """These models, of whom some are read anew."""
    read = standing.results.cells(db, sorted({entry.digest for entry in anew}))
    there = {entry.digest for entry in listed}
    gone = {entry.digest for entry in standing.entries} - there | {entry.digest for entry in anew}
    cells = {key: cell for key, cell in standing.cells.items() if key[0] not in gone} | read.cells
    places: Places = {key: place for key, place in standing.places.items() if key[0] not in gone} | read.places
    some = board_of(anew, standing.scored, read.cells, standing.board.inapplicable)
    board = _spliced(standing.board, some, [entry.model_id for entry in listed])
    derived = _carried(standing, board, {entry.model_id for entry in anew})
    return replace(standing, entries=listed, cells=cells, places=places, board=board, derived=derived)


def _spliced(board: Board, some: Board, models: Sequence[str]) -> Board:
    """The rows of these models: of `some` where they are there, else as they were."""
    rows = {model: row for row, model in enumerate(board.models)}
    rows |= {model: len(board.models) + row for row, model in enumerate(some.models)}
    values = np.concatenate([board.values, some.values])[[rows[model] for model in models]]
    return replace(board, models=tuple(models), values=values)


def _carried(standing: Standing, board: Board, anew: Collection[str]) -> dict[Hashable, Any]:
    """The written rows that stay as they are; what a model lacks depends on what others have."""
    written = standing.derived.get("rows")
    if written is None or not np.array_equal(board.measured, standing.board.measured):
        return {}
    return {"rows": written.mapped(lambda rows: {model: row for model, row in list(rows.items()) if model not in anew})}

"""What goes into the bundle of a frozen leaderboard: its very bytes, its cells, and the resamples behind intervals."""

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import orjson
from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.bundle.container import Member
from dynaboard.bundle.document import BundledCell, BundledDataset, BundleDocument
from dynaboard.errors import Conflict
from dynaboard.identity import Caller, Role
from dynaboard.tables import Dataset, Measurement, Score, Snapshot, now
from services.scoring.bundles.contents import bundled, made_with
from services.scoring.resampling import Resampled
from services.scoring.snapshots import find

BOARD, REPLICATES = "board.json", "replicates.npz"
TOO_OLD = "This snapshot was made before bundles were; freeze the board again to have one."


def board_document(
    db: Session, address: str, caller: Caller, resampled: Resampled
) -> tuple[BundleDocument, list[Member]]:
    """A snapshot's document and its files, the resamples for task owners only.

    Raises NotFound, and Conflict for one that kept no sources.
    """
    snapshot = find(db, address, caller)
    sources = db.scalar(select(Snapshot.sources).where(Snapshot.id == address))
    if sources is None:
        raise Conflict(TOO_OLD)
    view = orjson.loads(snapshot.body)
    document = BundleDocument(
        kind="board",
        made_at=now(),
        made_with=made_with(),
        task={"name": snapshot.task},
        snapshot=snapshot.id,
        chosen={"weights": sources["weights"], "dataset_weights": sources["dataset_weights"]},
        datasets=_datasets(db, [dataset["digest"] for dataset in view["datasets"]]),
        cells=list(_cells(db, sources["cells"])),
        files={},
    )
    members = [Member(BOARD, snapshot.body)]
    # Their draws are known, so a thousand resamples of n examples are equations that give each answer's correctness,
    # and with the answers the labels (tests/attacks/test_resamples.py).
    if caller.at_least(Role.TASK_OWNER):
        members.append(Member(REPLICATES, _replicates(db, view, sources, resampled)))
    return document, members


def _replicates(db: Session, view: dict[str, Any], sources: dict[str, Any], resampled: Resampled) -> bytes:
    """How far each cell lies from its value under each resample: metrics × datasets × models × replicates."""
    models = [row["digest"] for row in view["rows"]]
    digests = {dataset["name"]: dataset["digest"] for dataset in view["datasets"]}
    places = {(model, dataset, metric): (table, number) for model, dataset, metric, table, number in sources["cells"]}
    found = resampled.at(db, models, [digests[name] for name in view["dataset_weights"]], places)
    file = io.BytesIO()
    np.savez_compressed(file, deviations=found.deviations, counts=np.array([found.unpaired, found.certain]))
    return file.getvalue()


def _datasets(db: Session, digests: Sequence[str]) -> list[BundledDataset]:
    rows = db.scalars(select(Dataset).where(Dataset.digest.in_(digests)).order_by(Dataset.name, Dataset.version))
    return [
        BundledDataset(
            name=row.name,
            version=row.version,
            digest=row.digest,
            role=row.role,
            licence=row.licence,
            citation=row.citation,
            examples=row.examples,
            member=None,
        )
        for row in rows
    ]


def _cells(db: Session, cells: Sequence[Sequence[Any]]) -> Iterator[BundledCell]:
    numbers: dict[str, list[int]] = {"scores": [], "measurements": []}
    for *_, table, number in cells:
        numbers[table].append(number)
    yield from map(bundled, db.scalars(select(Score).where(Score.id.in_(numbers["scores"])).order_by(Score.id)))
    costs = select(Measurement).where(Measurement.id.in_(numbers["measurements"])).order_by(Measurement.id)
    yield from map(bundled, db.scalars(costs))

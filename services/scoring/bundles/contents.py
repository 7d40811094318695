"""What goes into the bundle of a submission: its evaluations, cells and files, as far as the caller may have them."""

import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard import __version__
from dynaboard.bundle.document import (
    BundledCell,
    BundledDataset,
    BundledEvaluation,
    BundledModel,
    BundleDocument,
)
from dynaboard.errors import Conflict, Forbidden, NotFound
from dynaboard.identity import Caller, Role
from dynaboard.perturbed_copy import copy_key
from dynaboard.phases import counts, labels_are_open
from dynaboard.storage import dataset_key
from dynaboard.tables import Dataset, Evaluation, HardwareProfile, Measurement, Model, Score, Submission, now
from dynaboard.task_registry import find_task
from services.scoring.leaderboard import HIDDEN

LIBRARIES = ("numpy", "pyarrow", "scipy")


def may_have(db: Session, submission_id: str, caller: Caller) -> tuple[Submission, Model]:
    """A submission whose bundle the caller may have, as its owner or a task owner.

    Raises NotFound, Forbidden, and Conflict before there are results.
    """
    found = db.execute(
        select(Submission, Model).join(Model, Submission.model_id == Model.id).where(Submission.id == submission_id)
    ).one_or_none()
    if found is None or not caller.may_see(found.Model.owner, found.Model.published):
        raise NotFound(f"There is no submission {submission_id[:40]}, or it is not yours to see.")
    submission, model = found.Submission, found.Model
    if not (caller.may_change(model.owner) or caller.at_least(Role.TASK_OWNER)):
        raise Forbidden("Only its owner and task owners may have the predictions of a submission.")
    if submission.digest is None or not _evaluated(db, submission, caller):
        raise Conflict("There are no results to put into a bundle yet; wait for the evaluation.")
    return submission, model


def document_of(db: Session, submission: Submission, model: Model, caller: Caller) -> BundleDocument:
    """All that is known of a submission's results. `files` is left empty: their digests come with the files."""
    rows = _evaluated(db, submission, caller)
    datasets = {dataset.digest: _dataset(dataset, caller) for _, dataset in rows}
    cells = _cells(db, submission, list(datasets))
    profiles = {cell.hardware_profile for cell in cells} - {""}
    hardware = db.scalars(select(HardwareProfile).where(HardwareProfile.fingerprint.in_(profiles)))
    return BundleDocument(
        kind="evaluation",
        made_at=now(),
        made_with=made_with(),
        task=asdict(find_task(db, submission.task)),
        model=BundledModel(
            submission_id=submission.id,
            model_id=model.id,
            name=model.name,
            version=submission.version,
            kind=submission.kind,
            digest=submission.digest or "",
            manifest=submission.manifest,
        ),
        datasets=list(datasets.values()),
        evaluations=[_evaluation(evaluation, datasets[dataset.digest], submission) for evaluation, dataset in rows],
        cells=cells,
        hardware={row.fingerprint: row.description for row in hardware},
        files={},
    )


def made_with() -> dict[str, str]:
    """The versions of what computes here."""
    own = {"dynaboard": __version__, "python": platform.python_version(), "machine": platform.machine()}
    return own | {name: version(name) for name in LIBRARIES}


def _evaluated(db: Session, submission: Submission, caller: Caller) -> Sequence[tuple[Evaluation, Dataset]]:
    """Evaluations whose predictions are stored, originals before their copies; hidden datasets for task owners."""
    wanted = (
        select(Evaluation, Dataset)
        .join(Dataset, Dataset.id == Evaluation.dataset_id)
        .where(Evaluation.submission_id == submission.id, Evaluation.predictions_digest.is_not(None))
        .order_by(Dataset.name, Dataset.version, Evaluation.perturbation, Evaluation.perturbation_digest)
    )
    if not caller.at_least(Role.TASK_OWNER):
        wanted = wanted.where(Dataset.role != HIDDEN)
    owner = caller.at_least(Role.TASK_OWNER)
    return [(row.Evaluation, row.Dataset) for row in db.execute(wanted) if owner or counts(row.Dataset)]


def _dataset(dataset: Dataset, caller: Caller) -> BundledDataset:
    open_to_caller = labels_are_open(dataset) or caller.at_least(Role.TASK_OWNER)
    return BundledDataset(
        name=dataset.name,
        version=dataset.version,
        digest=dataset.digest,
        role=dataset.role,
        licence=dataset.licence,
        citation=dataset.citation,
        examples=dataset.examples,
        member=dataset_key(dataset.digest) if open_to_caller else None,
    )


def _evaluation(evaluation: Evaluation, dataset: BundledDataset, submission: Submission) -> BundledEvaluation:
    """Where labels are closed, predictions are numbered, and those on perturbed copies stay here: their ids tell."""
    known = dataset.member is not None or submission.kind == "predictions"
    handed_out = known or not evaluation.perturbation
    return BundledEvaluation(
        id=evaluation.id,
        dataset=dataset.digest,
        perturbation=evaluation.perturbation,
        perturbation_digest=evaluation.perturbation_digest,
        predictions=f"predictions/{evaluation.id}.parquet" if handed_out else None,
        predictions_digest=evaluation.predictions_digest or "",
        numbered=handed_out and not known,
        copy_member=copy_key(evaluation.perturbation_digest) if evaluation.perturbation and dataset.member else None,
        provenance=evaluation.provenance,
    )


def _cells(db: Session, submission: Submission, datasets: Sequence[str]) -> list[BundledCell]:
    """The model's cells on these datasets: quality first, then cost."""
    scores = select(Score).where(Score.model_digest == submission.digest, Score.dataset_digest.in_(datasets))
    costs = select(Measurement).where(
        Measurement.model_digest == submission.digest, Measurement.dataset_digest.in_(datasets)
    )
    found = [
        *db.scalars(scores.order_by(Score.dataset_digest, Score.perturbation_digest, Score.id)),
        *db.scalars(costs.order_by(Measurement.dataset_digest, Measurement.id)),
    ]
    return [bundled(cell) for cell in found]


def bundled(cell: Score | Measurement) -> BundledCell:
    """A cell as bundles keep it."""
    known: dict[str, Any] = {name: getattr(cell, name) for name in BundledCell.model_fields.keys() - {"table", "tag"}}
    if isinstance(cell, Score):
        return BundledCell(table="scores", tag=cell.tag, **known)
    return BundledCell(table="measurements", **known)

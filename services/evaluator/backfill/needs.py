"""What a task's boards need and what exists, out of the database, for the planner."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from dynaboard.backfill.missing import Known, Place, Subject, Text
from dynaboard.measurement import PROFILES
from dynaboard.measurement.hardware import hardware_profile
from dynaboard.status import Status
from dynaboard.tables import (
    BackfillRun,
    BackfillSwitch,
    Dataset,
    Evaluation,
    HardwareProfile,
    Measurement,
    Model,
    PerturbedCopy,
    Submission,
)
from dynaboard.task import Task
from services.evaluator.cost import protocol
from services.evaluator.perturbed.copies import recipes_of
from services.evaluator.settings import EvaluatorSettings

# A copy that is not made yet has so many variants of each example, as those of SNLI and SST-3 have.
VARIANTS_EACH = {"robustness": 7, "fairness": 2}
UNMADE = "recipe:"


def subjects_of(db: Session, task: str) -> list[Subject]:
    """The newest finished version of each published model that the platform can run."""
    newest = (
        select(Submission.id, Submission.digest, Submission.owner, Submission.kind)
        .join(Model, Model.id == Submission.model_id)
        .where(Submission.task == task, Model.published, Submission.status == Status.FINISHED)
        .where(Submission.digest.is_not(None))
        .ext(distinct_on(Submission.model_id))
        .order_by(Submission.model_id, Submission.version.desc())
    )
    return [Subject(row.id, row.digest, row.owner) for row in db.execute(newest) if row.kind != "predictions"]


def texts_of(db: Session, settings: EvaluatorSettings, task: Task, datasets: Iterable[Dataset]) -> list[Text]:
    """The datasets, and their copies as these settings make them; a copy without any variant is left out."""
    texts = []
    for dataset in datasets:
        each = dataset.size / max(1, dataset.examples)
        texts.append(Text(dataset.id, "", "", dataset.digest, dataset.examples, each))
        for recipe in recipes_of(settings, task, dataset):
            key = {"dataset_digest": dataset.digest, "suite": recipe.suite, "recipe": recipe.digest}
            made = db.scalars(select(PerturbedCopy).filter_by(**key)).one_or_none()
            copy = made.digest if made else UNMADE + recipe.digest
            variants = made.variants if made else VARIANTS_EACH[recipe.suite] * dataset.examples
            if variants:
                texts.append(Text(dataset.id, recipe.suite, copy, dataset.digest, variants, each))
    return texts


def known_of(db: Session, settings: EvaluatorSettings, subjects: Collection[Subject], switch: BackfillSwitch) -> Known:
    """Stored predictions, failures that were not forgiven, and costs on our machines under this protocol."""
    ids = [subject.submission_id for subject in subjects]
    found = select(
        Evaluation.submission_id, Evaluation.dataset_id, Evaluation.perturbation, Evaluation.perturbation_digest
    ).where(Evaluation.submission_id.in_(ids), Evaluation.predictions_key.is_not(None))
    hardware, in_force = hardware_of(db, settings), protocol(PROFILES[settings.measurement_profile])
    measured = db.execute(
        select(
            Measurement.model_digest,
            Measurement.dataset_digest,
            Measurement.hardware_profile,
            Measurement.protocol_version,
        ).where(
            Measurement.metric == "throughput",
            Measurement.model_digest.in_([subject.model_digest for subject in subjects]),
        )
    ).all()
    return Known(
        predictions=frozenset((row[0], row[1], row[2], row[3]) for row in db.execute(found)),
        failed=failures(db, ids, switch),
        costs=frozenset((row[0], row[1]) for row in measured if row[2] in hardware and row[3] == in_force),
        old_costs=frozenset((row[0], row[1]) for row in measured),
    )


def hardware_of(db: Session, settings: EvaluatorSettings) -> frozenset[str]:
    """The hardware profiles of the machines that models are measured on: this one, or a cluster's with these limits.

    What a cluster's nodes are, only a pod on them can tell: it is known from what was measured there.
    """
    if settings.deployer == "local":
        return frozenset({hardware_profile(settings.limits, settings.runtime_python).fingerprint})
    limits = asdict(settings.limits)
    seen = db.scalars(select(HardwareProfile)).all()
    return frozenset(row.fingerprint for row in seen if row.description.get("limits") == limits)


def failures(db: Session, submissions: Sequence[str], switch: BackfillSwitch) -> frozenset[Place]:
    """Where a model has failed since `start` was last said."""
    runs = select(BackfillRun).where(BackfillRun.submission_id.in_(submissions), BackfillRun.state == "failed")
    if switch.retry_from is not None:
        runs = runs.where(BackfillRun.finished_at > switch.retry_from)
    return frozenset((run.submission_id, at[0], at[1], at[2]) for run in db.scalars(runs) for at in run.failed_on)

"""How far a submission is, as its callers see it."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from dynaboard.identity import Caller, Role
from dynaboard.schemas import EvaluationView, SubmissionView
from dynaboard.status import Status
from dynaboard.tables import BackfillRun, Dataset, Evaluation, Model, Submission
from services.evaluator.plan import FINISHED, ORDER, RUNNING, WAITING


def progress_view(db: Session, submission: Submission, model: Model, caller: Caller) -> SubmissionView:
    """A submission with its place in the queue, each dataset's progress and the time left (seconds, estimated)."""
    theirs = caller.may_change(model.owner)
    rows = _rows(db, submission.id)
    speed = _speed([evaluation for evaluation, _ in rows])
    later = _backfilled(db, submission.id)
    running = submission.status == Status.RUNNING or later is not None
    return SubmissionView(
        id=submission.id,
        model_id=model.id,
        task=submission.task,
        name=model.name,
        owner=model.owner if theirs or not model.anonymous else None,
        version=submission.version,
        kind=submission.kind,
        status=submission.status,
        step=submission.step or later,
        reason=submission.reason if theirs else None,
        failure=submission.failure,
        digest=submission.digest,
        size=submission.size,
        verified=submission.kind != "predictions",
        published=model.published,
        anonymous=model.anonymous,
        created_at=submission.created_at,
        updated_at=submission.updated_at,
        started_at=submission.started_at,
        finished_at=submission.finished_at,
        queue_position=_queue_position(db, submission),
        eta_seconds=_left(sum(row.total - row.done for row, _ in rows), speed) if running else None,
        evaluations=[
            _evaluation_view(evaluation, dataset, running, speed)
            for evaluation, dataset in rows
            if dataset.role != "hidden" or caller.at_least(Role.TASK_OWNER)
        ],
    )


def _backfilled(db: Session, submission_id: str) -> str | None:
    """What an old submission is being run again for; it stays finished, and on its board."""
    run = db.scalars(select(BackfillRun).filter_by(submission_id=submission_id, state="running")).first()
    return None if run is None else f"Back-fill: {run.step or 'getting ready'}"


def _rows(db: Session, submission_id: str) -> list[tuple[Evaluation, Dataset]]:
    query = (
        select(Evaluation, Dataset)
        .join(Dataset, Dataset.id == Evaluation.dataset_id)
        .where(Evaluation.submission_id == submission_id)
    )
    rows = [(evaluation, dataset) for evaluation, dataset in db.execute(query)]
    return sorted(rows, key=lambda row: (ORDER[row[1].role], row[1].name, row[1].version, row[0].perturbation))


def _evaluation_view(
    evaluation: Evaluation, dataset: Dataset, running: bool, usual_speed: float | None
) -> EvaluationView:
    """One dataset's progress. What was under way when its submission was stopped waits now."""
    own = _speed([evaluation])
    unfinished = running and evaluation.status != FINISHED
    return EvaluationView(
        dataset=dataset.name,
        dataset_version=dataset.version,
        role=dataset.role,
        perturbation=evaluation.perturbation,
        status=WAITING if evaluation.status == RUNNING and not running else evaluation.status,
        done=evaluation.done,
        total=evaluation.total,
        spared=evaluation.provenance.get("spared"),
        examples_per_second=own,
        eta_seconds=_left(evaluation.total - evaluation.done, own or usual_speed) if unfinished else None,
    )


def _speed(evaluations: list[Evaluation]) -> float | None:
    """Examples a second over these evaluations; None before anything is known."""
    seconds = sum(evaluation.seconds for evaluation in evaluations)
    done = sum(evaluation.done for evaluation in evaluations if evaluation.seconds)
    return done / seconds if seconds and done else None


def _left(examples: int, speed: float | None) -> float | None:
    return examples / speed if speed else None


def _queue_position(db: Session, submission: Submission) -> int | None:
    """1 for the next one to run; None for one that does not wait."""
    if submission.status != Status.SUBMITTED:
        return None
    earlier = select(func.count()).where(
        Submission.status == Status.SUBMITTED, Submission.updated_at < submission.updated_at
    )
    return 1 + (db.scalar(earlier) or 0)

"""The job `backfill`: an old submission run on what it lacks, beside its status, which stays finished."""

import asyncio
import time

from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from dynaboard.errors import ModelFailure
from dynaboard.jobs import BACKFILL, FILL, defer, fail_backfill
from dynaboard.status import Status
from dynaboard.tables import BackfillRun, Submission, now
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.evaluator.backfill.dispatch import advance
from services.evaluator.backfill.switch import OPEN
from services.evaluator.bench import Bench, Order
from services.evaluator.evaluation import run_model
from services.evaluator.perturbed.copies import copies_of
from services.evaluator.plan import make_plan, open_datasets
from services.evaluator.progress import Progress, while_running
from services.evaluator.running_models import evaluated
from services.evaluator.workspace import Workspace

_NEW_SUBMISSIONS = text(
    "SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo' AND task_name = 'evaluate'"
    " AND (scheduled_at IS NULL OR scheduled_at <= now())"
)


def backfill(bench: Bench, submission_id: str) -> None:
    """Do what a submission's open run wants, then queue the next. May run twice; what is stored is not done again.

    A model that fails keeps all it has. A run that was paused is gone, and one that made way for a new submission is
    queued again. Raises only what is the platform's fault.
    """
    found = _begin(bench, submission_id)
    if found is not None:
        _run(bench, *found)
    advance(bench)


def _begin(bench: Bench, submission_id: str) -> tuple[BackfillRun, Submission, Task] | None:
    open_run = select(BackfillRun).where(BackfillRun.submission_id == submission_id, BackfillRun.state.in_(OPEN))
    with bench.database.begin() as db:
        run = db.scalars(open_run.with_for_update()).one_or_none()
        if run is None:
            return None
        submission = db.get_one(Submission, submission_id)
        if submission.status != Status.FINISHED:
            db.delete(run)  # it is being evaluated anyway
            return None
        run.state, run.started_at = "running", run.started_at or now()
        return run, submission, find_task(db, submission.task)


def _run(bench: Bench, run: BackfillRun, submission: Submission, task: Task) -> None:
    began = time.monotonic()
    workspace = Workspace.make(bench.settings.data_dir / "runs", submission.id)
    longest_s = bench.settings.max_evaluation_hours * 3600
    progress = Progress(bench.database, submission.id, longest_s, report)
    failure: ModelFailure | None = None
    done = False
    try:
        with evaluated(submission):
            done = asyncio.run(_work(bench, Order(submission, task, progress, workspace.folder), run))
    except ModelFailure as raised:
        failure = raised
    finally:
        workspace.remove()
    if failure is not None:
        failed_on = [_place_of(progress)] if progress.unit else []
        fail_backfill(bench.database, submission.id, failure.detail, failed_on)
    _end(bench, run, done, time.monotonic() - began)


async def _work(bench: Bench, order: Order, run: BackfillRun) -> bool:
    return await while_running(_wanted(bench, order, run), order.progress, bench.draining)


async def _wanted(bench: Bench, order: Order, run: BackfillRun) -> None:
    wanted = {(at[0], at[1]) for at in run.wanted}
    known = await asyncio.to_thread(open_datasets, bench.database, order.task.name)
    ids = {dataset_id for dataset_id, _ in wanted}
    datasets = [dataset for dataset in known if dataset.id in ids]
    perturbed = [dataset for dataset in datasets if any(of == dataset.id and suite for of, suite in wanted)]
    copies = await copies_of(bench, order, perturbed)
    units = await asyncio.to_thread(make_plan, bench.database, order.submission, datasets, copies)
    remeasured = {at[0] for at in run.wanted if at[3] == "measurement"}
    left = [
        unit
        for unit in units
        if (unit.dataset.id, unit.evaluation.perturbation) in wanted
        and (unit.evaluation.finished_at is None or (unit.copy is None and unit.dataset.id in remeasured))
    ]
    if left:
        await run_model(bench, order, left)


def report(db: Session, submission_id: str, step: str) -> bool:
    """Say what the run is doing. False when it is to stop: it was paused, or a new submission needs its evaluator."""
    running = (BackfillRun.submission_id == submission_id, BackfillRun.state == "running")
    number = db.scalar(update(BackfillRun).where(*running).values(step=step).returning(BackfillRun.id))
    if number is None:
        return False
    earlier = select(func.count()).where(BackfillRun.state == "running", BackfillRun.id < number)
    # Where one submission waits, one run makes way, not all of them.
    return (db.scalar(_NEW_SUBMISSIONS) or 0) <= (db.scalar(earlier) or 0)


def _place_of(progress: Progress) -> list[str]:
    assert progress.unit is not None
    evaluation = progress.unit.evaluation
    return [evaluation.dataset_id, evaluation.perturbation, evaluation.perturbation_digest]


def _end(bench: Bench, run: BackfillRun, done: bool, seconds: float) -> None:
    """Done, stopped to make way, or gone; whatever was predicted is scored."""
    with bench.database.begin() as db:
        row = db.get(BackfillRun, run.id, with_for_update=True)
        if row is not None:
            row.seconds += seconds
            if done:
                row.state, row.step, row.finished_at = "done", None, now()
            elif row.state == "running":
                row.state, row.step = "queued", "Waiting: a new submission goes first"
                defer(db, BACKFILL, row.submission_id)
        defer(db, FILL)

"""The evaluator's jobs: evaluate(submission_id), and back-fill. They may run twice; what is stored is never redone."""

import asyncio
from pathlib import Path

import procrastinate

from dynaboard.jobs import BACKFILL, EVALUATE, PLAN_BACKFILL, PRIORITY, QUEUES, SCORE, defer, make_app, register
from dynaboard.status import Status, move
from dynaboard.tables import Submission
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.evaluator.backfill.dispatch import advance
from services.evaluator.backfill.running import backfill
from services.evaluator.bench import Bench, Order
from services.evaluator.evaluation import evaluate_model
from services.evaluator.prediction_only import evaluate_predictions
from services.evaluator.progress import Progress, while_running
from services.evaluator.running_models import evaluated
from services.evaluator.workspace import Workspace

LOOK = "look_for_backfill"


def make_jobs(bench: Bench) -> procrastinate.App:
    """The evaluator's procrastinate application."""
    app = make_app(bench.database.url)
    register(app, EVALUATE, lambda submission_id: evaluate(bench, submission_id), bench.database, bench.settings)
    register(app, BACKFILL, lambda submission_id: backfill(bench, submission_id), bench.database, bench.settings)
    register(app, PLAN_BACKFILL, lambda _: advance(bench), bench.database, bench.settings)
    _look_for_backfill(app, bench)
    return app


def _look_for_backfill(app: procrastinate.App, bench: Bench) -> None:
    """Every minute, whatever else has said so or not: what is missing is found in the end."""

    @app.periodic(cron="* * * * *")
    @app.task(name=LOOK, queue=QUEUES[PLAN_BACKFILL], priority=PRIORITY[PLAN_BACKFILL], queueing_lock=LOOK)
    def look(timestamp: int) -> None:
        advance(bench)


def evaluate(bench: Bench, submission_id: str) -> None:
    """Predict every open dataset with a submitted model, measure its cost, and hand it to scoring.

    Does nothing when the submission was cancelled or has passed this step. Raises ModelFailure; anything else is ours.
    """
    with bench.database.begin() as db:
        if not move(db, submission_id, Status.RUNNING, step="Getting ready"):
            return
        submission = db.get_one(Submission, submission_id)
        task = find_task(db, submission.task)
    workspace = Workspace.make(bench.settings.data_dir / "runs", submission_id)
    try:
        with evaluated(submission):
            done = asyncio.run(_evaluate(bench, submission, task, workspace.folder))
    finally:
        workspace.remove()
    if done:
        _hand_on(bench, submission)


async def _evaluate(bench: Bench, submission: Submission, task: Task, scratch: Path) -> bool:
    """Do what is left to do. False: the submission was cancelled meanwhile."""
    longest_s = bench.settings.max_evaluation_hours * 3600
    progress = Progress(bench.database, submission.id, longest_s)
    evaluate_kind = evaluate_predictions if submission.kind == "predictions" else evaluate_model
    order = Order(submission, task, progress, scratch)
    return await while_running(evaluate_kind(bench, order), progress, bench.draining)


def _hand_on(bench: Bench, submission: Submission) -> None:
    with bench.database.begin() as db:
        if move(db, submission.id, Status.PREDICTED, step="Waiting to be scored"):
            defer(db, SCORE, submission.id)

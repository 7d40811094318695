"""The HTTP routes of submissions under evaluation, for the evaluator's application to include."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import select

from dynaboard.errors import Forbidden, NotFound
from dynaboard.identity import Caller, CallerDep, Role
from dynaboard.phases import has_schedule, labels_are_open
from dynaboard.prediction_file import numbered
from dynaboard.schemas import PredictRequest, PredictResponse, SubmissionView
from dynaboard.tables import Dataset, Evaluation, Submission
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.evaluator.access import owned, seen, talkable
from services.evaluator.archives import Archive
from services.evaluator.bench import Bench
from services.evaluator.evaluation import log_key
from services.evaluator.interactive import Interactive, checked_examples, shown_answer
from services.evaluator.predictions import json_lines
from services.evaluator.steering import cancel, retry
from services.evaluator.views import progress_view

BLOCK = 1024**2
NO_LOG = "There is no log yet: it is stored when the model has stopped."


def make_router(bench: Bench, interactive: Interactive) -> APIRouter:
    """Progress, cancel and retry, the log and the predictions, and questions to the model."""
    router = APIRouter(tags=["evaluation"])
    _add_steering(router, bench)
    _add_downloads(router, bench)
    _add_questions(router, bench, interactive)
    return router


def _add_steering(router: APIRouter, bench: Bench) -> None:
    @router.get("/submissions/{submission_id}/evaluations")
    def progress(submission_id: str, caller: CallerDep) -> SubmissionView:
        """A submission with its place in the queue, each dataset's progress and the estimated time left."""
        return _view(bench, submission_id, caller)

    @router.post("/submissions/{submission_id}/cancel")
    def cancel_submission(submission_id: str, caller: CallerDep) -> SubmissionView:
        """Stop a submission; for its owner. Conflict when it has ended or is being scored."""
        with bench.database.begin() as db:
            cancel(db, owned(db, submission_id, caller)[0], caller)
        return _view(bench, submission_id, caller)

    @router.post("/submissions/{submission_id}/retry")
    def retry_submission(submission_id: str, caller: CallerDep) -> SubmissionView:
        """Queue a failed or cancelled submission again; for its owner. Finished datasets are not run again."""
        with bench.database.begin() as db:
            retry(db, owned(db, submission_id, caller)[0])
        return _view(bench, submission_id, caller)


def _view(bench: Bench, submission_id: str, caller: Caller) -> SubmissionView:
    with bench.database.begin() as db:
        return progress_view(db, *seen(db, submission_id, caller), caller)


def _add_downloads(router: APIRouter, bench: Bench) -> None:
    @router.get("/submissions/{submission_id}/log")
    def log(submission_id: str, caller: CallerDep) -> Response:
        """What the model printed when it ran last, tracebacks included; for its owner."""
        with bench.database.begin() as db:
            owned(db, submission_id, caller)
        try:
            text = bench.storage.get(log_key(submission_id))
        except NotFound:
            raise NotFound(NO_LOG) from None
        return Response(text, media_type="text/plain; charset=utf-8", headers={"x-content-type-options": "nosniff"})

    @router.get("/submissions/{submission_id}/predictions/{dataset}", response_class=StreamingResponse)
    def predictions(
        submission_id: str,
        dataset: str,
        caller: CallerDep,
        format: Literal["parquet", "jsonl"] = "jsonl",
        version: int | None = None,
        suite: Literal["", "fairness", "robustness"] = "",
    ) -> StreamingResponse:
        """The stored predictions on a dataset (its newest version evaluated, unless one is named), or on a copy of it.

        For the model's owner and for task owners; of a copy where labels are open, as a variant's id is its example's.

        Ids are the positions that the model saw, where the dataset's own could tell its labels.
        """
        stored = _stored(bench, submission_id, caller, Asked(dataset, version, suite))
        body = _parquet(bench, stored) if format == "parquet" else _lines(bench, stored)
        media_type = "application/vnd.apache.parquet" if format == "parquet" else "application/x-ndjson"
        name = f"{dataset}-{suite}" if suite else dataset
        disposition = f'attachment; filename="{submission_id[:8]}-{name}.{format}"'
        return StreamingResponse(body, media_type=media_type, headers={"content-disposition": disposition})


@dataclass(frozen=True)
class Stored:
    """Predictions to be fetched, and whether with positions for the dataset's ids."""

    task: Task
    key: str
    numbered: bool


@dataclass(frozen=True)
class Asked:
    """Of which dataset, and of which of its copies."""

    dataset: str
    version: int | None
    suite: str


def _stored(bench: Bench, submission_id: str, caller: Caller, asked: Asked) -> Stored:
    """Which predictions. Raises NotFound while there are none, Forbidden for a copy of a dataset that is closed."""
    query = (
        select(Evaluation.predictions_key, Dataset)
        .join(Dataset, Dataset.id == Evaluation.dataset_id)
        .where(Evaluation.submission_id == submission_id, Evaluation.perturbation == asked.suite)
        .where(Dataset.name == asked.dataset)
        .where(Evaluation.predictions_key.is_not(None))
        .order_by(Dataset.version.desc(), Evaluation.created_at.desc())
    )
    if asked.version is not None:
        query = query.where(Dataset.version == asked.version)
    if not caller.at_least(Role.TASK_OWNER):
        query = query.where(Dataset.role != "hidden")
    with bench.database.begin() as db:
        find = seen if caller.at_least(Role.TASK_OWNER) else owned
        submission, _ = find(db, submission_id, caller)
        task = find_task(db, submission.task)
        found = db.execute(query).first()
    if found is None:
        raise NotFound(f"There are no predictions of this submission on a dataset {asked.dataset[:62]!r} (yet).")
    key, of = found.predictions_key or "", found.Dataset
    # Whoever handed in predictions has sent the ids, but of a test set with dates they were numbers.
    sent = submission.kind == "predictions" and not has_schedule(of)
    known = labels_are_open(of) or sent or caller.at_least(Role.TASK_OWNER)
    if asked.suite and not known:
        raise Forbidden(f"What the model said of {of.name} perturbed is shown where its labels are open.")
    return Stored(task, key, numbered=not known)


def _lines(bench: Bench, stored: Stored) -> Iterator[bytes]:
    with TemporaryFile() as file:
        file.writelines(_parquet(bench, stored))
        yield from json_lines(file, stored.task)


def _parquet(bench: Bench, stored: Stored) -> Iterator[bytes]:
    if not stored.numbered:
        yield from bench.storage.chunks(stored.key)
        return
    with TemporaryFile() as file, TemporaryFile() as target:
        file.writelines(bench.storage.chunks(stored.key))
        numbered(file, target)
        target.seek(0)
        while block := target.read(BLOCK):
            yield block


def _add_questions(router: APIRouter, bench: Bench, interactive: Interactive) -> None:
    def asked(submission_id: str, caller: CallerDep) -> tuple[Submission, Task]:
        with bench.database.begin() as db:
            submission = talkable(db, submission_id, caller)
            return submission, find_task(db, submission.task)

    @router.post("/submissions/{submission_id}/predict")
    async def predict(
        question: PredictRequest, subject: Annotated[tuple[Submission, Task], Depends(asked)]
    ) -> PredictResponse:
        """Ask a model: any that is published and finished, or your own. It is started if it does not run."""
        (submission, task), began = subject, time.monotonic()
        examples = checked_examples(task, question.examples)
        archive = Archive(submission.id, submission.digest or "")
        answers, started = await interactive.ask(archive, task, examples)
        return PredictResponse(
            submission_id=submission.id,
            answers=[shown_answer(task, answer) for answer in answers],
            milliseconds=(time.monotonic() - began) * 1000,
            started_now=started,
        )

"""Submissions: announced, looked at, fetched back."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Query
from fastapi.responses import StreamingResponse
from sqlalchemy import ColumnElement, func, or_, select, true
from sqlalchemy.orm import Session

from dynaboard.archive import object_key
from dynaboard.errors import Invalid, NotFound, TooLarge
from dynaboard.identity import Caller, CallerDep, Role, require
from dynaboard.publications import record_publication
from dynaboard.schemas import SubmissionCreate, SubmissionCreated, SubmissionView
from dynaboard.status import Status
from dynaboard.tables import Model, Submission
from dynaboard.task_registry import find_task
from services.upload import leftovers, quota
from services.upload.access import check_owner, seen_submission
from services.upload.dependencies import Context, ContextDep, TaskFilter
from services.upload.parts import part_count
from services.upload.views import submission_view, waiting_view

router = APIRouter(tags=["submissions"])


@router.post("/submissions", status_code=201)
def announce(
    context: ContextDep, caller: CallerDep, announced: SubmissionCreate, background: BackgroundTasks
) -> SubmissionCreated:
    """Open a new version of the caller's model of this name; the parts of its archive follow."""
    require(caller, Role.SUBMITTER)
    limit = context.settings.max_archive_bytes
    if announced.size > limit:
        size, allowed = announced.size / 1024**3, limit / 1024**3
        raise TooLarge(f"The archive has {size:.2f} GiB, at most {allowed:.2f} GiB are allowed; leave files out.")
    with context.database.begin() as db:
        _check_task(db, announced.task)
        submission = _insert(db, caller, announced, context)
    _begin(context, submission.id)
    background.add_task(leftovers.clear, context)
    return SubmissionCreated(
        id=submission.id,
        model_id=submission.model_id,
        version=submission.version,
        part_size=context.settings.part_bytes,
        parts=part_count(announced.size, context.settings.part_bytes),
    )


@dataclass(frozen=True)
class Wanted:
    """Which submissions a list is to have."""

    task: TaskFilter = None
    status: Annotated[Status | None, Query()] = None
    everybody: Annotated[bool, Query()] = False
    limit: Annotated[int, Query(ge=1, le=200)] = 50
    offset: Annotated[int, Query(ge=0, le=10**6)] = 0


@router.get("/submissions")
def list_submissions(
    context: ContextDep, caller: CallerDep, wanted: Annotated[Wanted, Depends()]
) -> list[SubmissionView]:
    """The caller's submissions, newest first; everybody's that they may see for task owners and administrators who ask.

    The reason of a failure stays its owner's, as in every view, and so does the log.
    """
    require(caller, Role.TASK_OWNER if wanted.everybody else Role.READER)
    found = (
        select(Submission, Model)
        .join(Model, Model.id == Submission.model_id)
        .where(_seen(caller) if wanted.everybody else Submission.owner == caller.name)
        .where(Submission.task == wanted.task if wanted.task else true())
        .where(Submission.status == wanted.status if wanted.status else true())
        .order_by(Submission.created_at.desc(), Submission.id)
    )
    with context.database.begin() as db:
        rows = db.execute(found.limit(wanted.limit).offset(wanted.offset)).all()
    return [submission_view(submission, model, caller) for submission, model in rows]


@router.get("/submissions/{submission_id}")
def get_submission(context: ContextDep, caller: CallerDep, submission_id: str) -> SubmissionView:
    """One submission: its status, and its place in the queue while it waits."""
    with context.database.begin() as db:
        submission, model = seen_submission(db, submission_id, caller)
        return waiting_view(db, submission, model, caller)


@router.get("/submissions/{submission_id}/archive", response_class=StreamingResponse)
def get_archive(context: ContextDep, caller: CallerDep, submission_id: str) -> StreamingResponse:
    """The archive as it was handed in, for its owner."""
    with context.database.begin() as db:
        submission, model = seen_submission(db, submission_id, caller)
    check_owner(model, caller)
    if submission.manifest is None:
        raise NotFound("This submission has no archive: its upload was not completed, or it was refused.")
    body: Iterator[bytes] = context.storage.chunks(object_key(submission_id))
    name = f"{model.name}-{submission.version}.zip"
    headers = {"content-length": str(submission.size), "content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(body, media_type="application/zip", headers=headers)


def _seen(caller: Caller) -> ColumnElement[bool]:
    """`Caller.may_see` as a condition: an unpublished model exists for its owner and administrators alone."""
    return true() if caller.role == Role.ADMIN else or_(Model.published, Model.owner == caller.name)


def _check_task(db: Session, name: str) -> None:
    try:
        find_task(db, name)
    except NotFound as missing:  # it is the announcement that is wrong, not its address
        raise Invalid(missing.detail) from None


def _insert(db: Session, caller: Caller, announced: SubmissionCreate, context: Context) -> Submission:
    """The new version's row. Under a lock, so that neither a version number nor a place in the quota is given twice."""
    quota.lock(db, caller.name, announced.task)
    if caller.role != Role.ADMIN:
        quota.check(db, caller.name, announced.task, context.settings.daily_quota)
    same = (Model.task == announced.task, Model.owner == caller.name, Model.name == announced.name)
    model = db.scalar(select(Model).where(*same))
    if model is None:
        model = Model(task=announced.task, owner=caller.name, name=announced.name)
        db.add(model)
        db.flush()
    model.published = model.published or announced.publish
    model.anonymous = model.anonymous or announced.anonymous
    record_publication(db, model)
    newest = db.scalar(select(func.max(Submission.version)).where(Submission.model_id == model.id)) or 0
    submission = Submission(
        model_id=model.id,
        task=announced.task,
        owner=caller.name,
        version=newest + 1,
        size=announced.size,
        digest=announced.sha256,
    )
    db.add(submission)
    db.flush()
    return submission


def _begin(context: Context, submission_id: str) -> None:
    """Open the multipart upload, outside any transaction; without one the first look at the parts opens it."""
    upload_id = context.parts.begin(object_key(submission_id))
    with context.database.begin() as db:
        db.get_one(Submission, submission_id).upload_id = upload_id

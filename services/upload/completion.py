"""The end of an upload: the archive put together, its digest and contents checked, its evaluation queued."""

import hashlib

from fastapi import APIRouter

from dynaboard import archive, jobs
from dynaboard.archive import Contents, object_key
from dynaboard.errors import Conflict, Invalid, NotFound, readable
from dynaboard.identity import Caller, CallerDep, Role, require
from dynaboard.schemas import Complete, SubmissionView
from dynaboard.status import Status, move
from dynaboard.tables import Submission
from dynaboard.telemetry import SUBMISSIONS
from dynaboard.zip_directory import Limits
from services.upload.access import check_owner, seen_submission
from services.upload.dependencies import Context, ContextDep
from services.upload.part_store import LOST, reached
from services.upload.parts import part_count
from services.upload.ranged_object import open_object
from services.upload.settings import UploadSettings
from services.upload.views import submission_view

router = APIRouter(tags=["submissions"])


@router.post("/submissions/{submission_id}/complete")
def complete(context: ContextDep, caller: CallerDep, submission_id: str, claimed: Complete) -> SubmissionView:
    """Check the archive and queue its evaluation. Asking again gives the same answer."""
    require(caller, Role.SUBMITTER)
    with context.database.begin() as db:
        submission, model = seen_submission(db, submission_id, caller)
    check_owner(model, caller)
    if submission.status == Status.FAILED:
        raise Invalid(submission.reason)
    if submission.status == Status.CANCELLED:
        raise Conflict("This submission was cancelled; submit the archive again.")
    if submission.status != Status.SUBMITTING:
        return submission_view(submission, model, caller)
    tags = _assemble(context, submission)
    counted = context.digests.finish(submission.upload_id or "", tags)
    try:
        contents = _check(context, submission, counted or _digest(context, submission), claimed.sha256)
    except Invalid as refusal:
        _refuse(context, submission, refusal.detail)
        raise
    return _accept(context, caller, submission_id, claimed.sha256, contents)


def _assemble(context: Context, submission: Submission) -> dict[int, str]:
    """Make the parts one object, unless an earlier attempt did. Raises Conflict when some are missing.

    Returns the entity tags of the parts, by number; none when an earlier attempt made the object.
    """
    key, upload_id = object_key(submission.id), submission.upload_id or ""
    sizes = context.parts.sizes(key, upload_id) if upload_id else None
    if sizes is not None:
        wanted = range(1, part_count(submission.size, context.settings.part_bytes) + 1)
        missing = [number for number in wanted if number not in sizes]
        if missing:
            raise Conflict(f"Part {missing[0]} and {len(missing) - 1} others are missing; send them, then complete.")
    tags = None if sizes is None else context.parts.finish(key, upload_id)
    if tags is None and not _is_whole(context, submission):
        raise Conflict(LOST)
    return tags or {}


def _is_whole(context: Context, submission: Submission) -> bool:
    try:
        with reached():
            return context.storage.size(object_key(submission.id)) == submission.size
    except NotFound:
        return False


def _check(context: Context, submission: Submission, found: str, sha256: str) -> Contents:
    """What the archive holds. Raises Invalid when it is not what was announced, or not what the platform takes."""
    if found != sha256 or submission.digest not in (None, sha256):
        raise Invalid("The archive's sha256 is not the one announced: it changed while it was sent; submit it again.")
    with open_object(context.storage, object_key(submission.id)) as file:
        contents = archive.check(file, _limits(context.settings))
    if contents.manifest.task != submission.task:
        raise Invalid(f"dynaboard.yaml says task {contents.manifest.task}, but it was submitted to {submission.task}.")
    return contents


def _digest(context: Context, submission: Submission) -> str:
    """The sha256 of the object, read once more in constant memory."""
    digest = hashlib.sha256()
    with reached():
        for chunk in context.storage.chunks(object_key(submission.id)):
            digest.update(chunk)
    return digest.hexdigest()


def _limits(settings: UploadSettings) -> Limits:
    return Limits(
        entries=settings.max_archive_entries,
        unpacked=settings.max_unpacked_bytes,
        ratio=settings.max_compression_ratio,
    )


def _refuse(context: Context, submission: Submission, reason: str) -> None:
    """Fail the submission with a sentence for its author. The object goes last: until then `leftovers` can find it."""
    with context.database.begin() as db:
        moved = move(db, submission.id, Status.FAILED, reason=readable(reason)[:2000], failure="model", digest=None)
    if moved:
        SUBMISSIONS.labels(submission.task, Status.FAILED, "model").inc()
        context.parts.discard(object_key(submission.id), submission.upload_id or "")
        with context.database.begin() as db:
            db.get_one(Submission, submission.id).upload_id = None


def _accept(context: Context, caller: Caller, submission_id: str, digest: str, contents: Contents) -> SubmissionView:
    """The status and the job in one transaction. Somebody else may have been first; the row says how it stands."""
    manifest = contents.manifest.model_dump(mode="json")
    kept = {"digest": digest, "manifest": manifest, "kind": contents.kind, "upload_id": None}
    with context.database.begin() as db:
        if move(db, submission_id, Status.SUBMITTED, **kept):
            jobs.defer(db, jobs.EVALUATE, submission_id)
    with context.database.begin() as db:
        return submission_view(*seen_submission(db, submission_id, caller), caller)

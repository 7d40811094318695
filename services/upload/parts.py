"""The parts of an archive: received into a lent buffer, checked, passed on to object storage."""

import asyncio
import hashlib
import zlib
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Header, Path, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field
from sqlalchemy import update
from starlette.requests import ClientDisconnect

from dynaboard.archive import object_key
from dynaboard.errors import Conflict, Invalid
from dynaboard.identity import Caller, CallerDep, Role, require
from dynaboard.schemas import PartsView
from dynaboard.status import Status
from dynaboard.tables import Submission
from dynaboard.telemetry import UPLOADED_BYTES
from services.upload.access import check_owner, seen_submission
from services.upload.dependencies import Context, ContextDep
from services.upload.part_store import LOST

router = APIRouter(tags=["submissions"])


class Checksums(BaseModel):
    """What the sender of a part claims about it, in hexadecimal; empty: nothing. CRC32 is six times cheaper."""

    x_sha256: str = Field("", pattern="^([0-9a-f]{64})?$")
    x_crc32: str = Field("", pattern="^([0-9a-f]{8})?$")

    def fit(self, data: memoryview) -> bool:
        """Whether the data is what its sender sent."""
        if self.x_sha256 and hashlib.sha256(data).hexdigest() != self.x_sha256:
            return False
        return not self.x_crc32 or f"{zlib.crc32(data):08x}" == self.x_crc32


@dataclass(frozen=True)
class Part:
    """Where one part belongs, and its sender's checksums."""

    submission_id: str
    upload_id: str
    number: int
    claimed: Checksums


def part_count(size: int, part_bytes: int) -> int:
    """How many parts an archive of `size` bytes has."""
    return -(-size // part_bytes)


def part_length(size: int, part_bytes: int, number: int) -> int:
    """Bytes of part `number` (from 1): all are equal but the last. Raises Invalid for one that does not exist."""
    parts = part_count(size, part_bytes)
    if number > parts:
        raise Invalid(f"There is no part {number}; the announced size makes {parts} parts.")
    return min(part_bytes, size - (number - 1) * part_bytes)


@router.put("/submissions/{submission_id}/parts/{number}", status_code=204, response_class=Response)
async def put_part(
    request: Request,
    context: ContextDep,
    caller: CallerDep,
    submission_id: str,
    number: Annotated[int, Path(ge=1, le=10_000)],
    claimed: Annotated[Checksums, Header()],
) -> Response:
    """One part, its bytes as the body. Send them in order; a part may be sent again."""
    submission = await run_in_threadpool(_uploading, context, caller, submission_id)
    length = part_length(submission.size, context.settings.part_bytes, number)
    if request.headers.get("content-length") != str(length):
        raise Invalid(f"Part {number} must have {length} bytes, and say so in Content-Length.")
    if submission.upload_id is None:
        raise Conflict(LOST)
    part = Part(submission_id, submission.upload_id, number, claimed)
    async with context.buffers.lend(caller.name) as buffer:
        data = buffer[:length]
        await _receive(request, data, context.settings.part_seconds)
        await run_in_threadpool(_store, context, part, data)
    return Response(status_code=204)


@router.get("/submissions/{submission_id}/parts")
def get_parts(context: ContextDep, caller: CallerDep, submission_id: str) -> PartsView:
    """Which parts are there, so that an interrupted upload goes on; `restarted` when all must be sent again."""
    submission = _uploading(context, caller, submission_id)
    part_bytes = context.settings.part_bytes
    sizes = context.parts.sizes(object_key(submission_id), submission.upload_id) if submission.upload_id else None
    if sizes is None or any(
        number > part_count(submission.size, part_bytes) or size != part_length(submission.size, part_bytes, number)
        for number, size in sizes.items()
    ):
        _restart(context, submission)
        sizes = None
    return PartsView(
        part_size=part_bytes,
        parts=part_count(submission.size, part_bytes),
        received=sorted(sizes or {}),
        restarted=sizes is None,
    )


async def _receive(request: Request, data: memoryview, seconds: float) -> None:
    """The request's body, into `data`. Raises Invalid when it is not just as long, or takes too long."""
    received = 0
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                data[received : received + len(chunk)] = chunk
                received += len(chunk)
    except (ClientDisconnect, ValueError, TimeoutError):
        received = -1
    if received != len(data):
        raise Invalid(f"The part did not arrive whole, or not within {seconds:g} s; send it again.")


def _store(context: Context, part: Part, data: memoryview) -> None:
    """Check a part and pass it on. Raises Invalid for a damaged one."""
    if not part.claimed.fit(data):
        raise Invalid(f"Part {part.number} was damaged on its way; send it again.")
    context.digests.add(part.upload_id, part.number, data)
    tag = context.parts.send(object_key(part.submission_id), part.upload_id, part.number, data)
    context.digests.stored(part.upload_id, part.number, tag)
    UPLOADED_BYTES.inc(len(data))


def _uploading(context: Context, caller: Caller, submission_id: str) -> Submission:
    """The caller's submission, still waiting for parts. Raises NotFound, Forbidden and Conflict."""
    require(caller, Role.SUBMITTER)
    with context.database.begin() as db:
        submission, model = seen_submission(db, submission_id, caller)
    check_owner(model, caller)
    if submission.status != Status.SUBMITTING:
        raise Conflict(f"This submission is {submission.status}; it takes no more parts.")
    return submission


def _restart(context: Context, submission: Submission) -> None:
    """Begin the upload anew. When two ask at the same time, one of the two uploads is kept."""
    key, old = object_key(submission.id), submission.upload_id
    if old:
        context.parts.abort(key, old)
    new = context.parts.begin(key)
    with context.database.begin() as db:
        mine = update(Submission).where(Submission.id == submission.id, Submission.upload_id.is_not_distinct_from(old))
        kept = db.execute(mine.values(upload_id=new).returning(Submission.id)).first()
    if kept is None:
        context.parts.abort(key, new)

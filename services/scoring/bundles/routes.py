"""Bundles over HTTP, and the key they are signed with."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.background import BackgroundTask

from dynaboard.bundle.container import Member
from dynaboard.bundle.document import BundleDocument, SigningKeyView
from dynaboard.bundle.signature import SigningKey
from dynaboard.database import Database
from dynaboard.errors import Unavailable
from dynaboard.identity import CallerDep
from services.scoring.bundles.board_contents import board_document
from services.scoring.bundles.contents import document_of, may_have
from services.scoring.bundles.making import made
from services.scoring.snapshot_routes import AddressPath

BLOCK = 1024**2
NO_KEY = "This installation has no signing key yet; its operator must set DYNABOARD_SIGNING_KEY."
routes = APIRouter()


@routes.get("/signing-key")
def signing_key(request: Request, caller: CallerDep) -> SigningKeyView:
    """The public key that bundles of this installation are signed with."""
    public = _key(request).public
    return SigningKeyView(algorithm="ed25519", key=public.text, fingerprint=public.fingerprint)


@routes.get("/submissions/{submission_id}/bundle", response_class=StreamingResponse)
def bundle(submission_id: str, request: Request, caller: CallerDep) -> StreamingResponse:
    """Everything that made a submission's numbers, signed; for its owner and task owners."""
    database: Database = request.app.state.database
    with database.begin() as db:
        submission, model = may_have(db, submission_id, caller)
        document = document_of(db, submission, model, caller)
        name = f"{model.name}-v{submission.version}.bundle.tar"
    return _sent(request, document, (), name)


@routes.get("/snapshots/{snapshot_id}/bundle", response_class=StreamingResponse)
def board_bundle(snapshot_id: AddressPath, request: Request, caller: CallerDep) -> StreamingResponse:
    """Everything that made a frozen board's numbers, signed; for everybody who may see the board."""
    database: Database = request.app.state.database
    with database.begin() as db:
        document, files = board_document(db, snapshot_id, caller, request.app.state.resampled)
    return _sent(request, document, files, f"board-{snapshot_id}.bundle.tar")


def _sent(request: Request, document: BundleDocument, files: Sequence[Member], name: str) -> StreamingResponse:
    stack = ExitStack()
    path = stack.enter_context(made(request.app.state.storage, document, _key(request), files))
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-length": str(path.stat().st_size)}
    # Whoever goes away before the first block has started nothing that would clean up.
    body, after = _blocks(path, stack), BackgroundTask(stack.close)
    return StreamingResponse(body, media_type="application/x-tar", headers=headers, background=after)


def _blocks(path: Path, stack: ExitStack) -> Iterator[bytes]:
    with stack, path.open("rb") as file:
        while block := file.read(BLOCK):
            yield block


def _key(request: Request) -> SigningKey:
    key: SigningKey | None = request.app.state.signing_key
    if key is None:
        raise Unavailable(NO_KEY)
    return key

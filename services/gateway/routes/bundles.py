"""Reproducibility bundles, and the key they are signed with."""

from fastapi import APIRouter, Response

from dynaboard.bundle.document import SigningKeyView
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone, ForReader
from services.gateway.parameters import ERRORS, PUBLIC, Id, content
from services.gateway.routes.snapshots import AddressPath
from services.gateway.upstreams import SCORING

router = APIRouter(tags=["bundles"], responses=ERRORS, route_class=JsonRoute)


@router.get("/signing-key", response_model=SigningKeyView, summary="The key of bundles", openapi_extra=PUBLIC)
async def get_signing_key(onward: ForAnyone) -> Response:
    """What `dynaboard verify --key` checks a bundle's signature with."""
    return await onward.to(SCORING)


@router.get(
    "/submissions/{submission_id}/bundle",
    response_class=Response,
    summary="Everything that made a submission's numbers",
    responses=content("application/x-tar"),
)
async def get_submission_bundle(onward: ForReader, submission_id: Id) -> Response:
    """Manifest, predictions, measurement blocks and every number, signed; for its owner and task owners.

    `dynaboard verify` computes all of it again, offline. Examples are in it only where their labels are released.
    """
    return await onward.bundle(SCORING)


@router.get(
    "/snapshots/{snapshot_id}/bundle",
    response_class=Response,
    summary="Everything that made a frozen leaderboard's numbers",
    responses=content("application/x-tar"),
    openapi_extra=PUBLIC,
)
async def get_snapshot_bundle(onward: ForAnyone, snapshot_id: AddressPath) -> Response:
    """The frozen board and its cells, signed: `dynaboard verify` ranks it again, offline.

    Task owners also get the resamples behind its intervals, which would give labels away.
    """
    return await onward.bundle(SCORING)

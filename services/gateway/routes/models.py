"""Models: what is shown of them, and to whom."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from dynaboard.schemas import ModelChange, ModelView
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone, ForSubmitter
from services.gateway.parameters import ERRORS, PUBLIC, Id, Limit, Offset, TaskFilter
from services.gateway.upstreams import UPLOAD

router = APIRouter(prefix="/models", tags=["models"], responses=ERRORS, route_class=JsonRoute)


@router.get("", response_model=list[ModelView], summary="List models", openapi_extra=PUBLIC)
async def list_models(
    onward: ForAnyone,
    task: TaskFilter = None,
    mine: Annotated[bool, Query(description="Only your own.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    """Published ones and your own, newest first."""
    return await onward.to(UPLOAD)


@router.get("/{model_id}", response_model=ModelView, summary="One model", openapi_extra=PUBLIC)
async def get_model(onward: ForAnyone, model_id: Id) -> Response:
    """With its card and its versions."""
    return await onward.to(UPLOAD)


@router.patch("/{model_id}", response_model=ModelView, summary="Publish, withdraw, hide its owner")
async def change_model(onward: ForSubmitter, model_id: Id, change: ModelChange) -> Response:
    """For its owner; what is left out stays as it is."""
    return await onward.to(UPLOAD, change)

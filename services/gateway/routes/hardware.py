"""The machines that costs were measured on."""

from fastapi import APIRouter, Response

from dynaboard.hardware_schemas import HardwareView
from services.gateway.onward import ForAnyone
from services.gateway.parameters import ERRORS, PUBLIC, TaskFilter
from services.gateway.upstreams import SCORING

router = APIRouter(prefix="/hardware", tags=["hardware"], responses=ERRORS)


@router.get("", response_model=list[HardwareView], summary="List hardware profiles", openapi_extra=PUBLIC)
async def list_hardware(onward: ForAnyone, task: TaskFilter = None) -> Response:
    """Each with its reference's ratings and whether it was steady last; the one with the most models first."""
    return await onward.to(SCORING)

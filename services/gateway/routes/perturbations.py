"""What perturbations make of any text."""

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Path, Response

from dynaboard.schemas import PerturbationPreview, PerturbRequest
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone
from services.gateway.parameters import ERRORS, PUBLIC
from services.gateway.upstreams import EVALUATOR

router = APIRouter(prefix="/perturbations", tags=["perturbations"], responses=ERRORS, route_class=JsonRoute)

TEXT = {"task": "sentiment", "example": {"statement": "Grandma found the film a delight."}}


@router.post("/{suite}", response_model=PerturbationPreview, summary="Perturb a text", openapi_extra=PUBLIC)
async def perturb(
    onward: ForAnyone,
    suite: Annotated[Literal["fairness", "robustness"], Path(description="Which perturbations.")],
    wanted: Annotated[PerturbRequest, Body(examples=[TEXT])],
) -> Response:
    """Every variant of a text of yours, with the edits marked; counted like questions to models.

    The same text, suite and `draw` give the same variants. There may be none: nobody is named, say.
    """
    return await onward.ask(EVALUATOR, wanted)

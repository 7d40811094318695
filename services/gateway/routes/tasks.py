"""The NLP tasks."""

from fastapi import APIRouter

from dynaboard.schemas import TaskView
from services.gateway.callers import AnyoneDep
from services.gateway.nlp_tasks import task_views
from services.gateway.parameters import ERRORS, PUBLIC

router = APIRouter(prefix="/tasks", tags=["tasks"], responses=ERRORS)


@router.get("", summary="List the tasks", openapi_extra=PUBLIC)
def list_tasks(_: AnyoneDep) -> list[TaskView]:
    """What a model of each task gets, what it must answer, and what ranks it."""
    return task_views()

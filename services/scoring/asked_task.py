"""The task that a request names, as it is defined now."""

from typing import Annotated

from fastapi import Depends, Request

from dynaboard.schemas import TaskName
from dynaboard.task import Task
from dynaboard.task_registry import find_task


def _asked(task: TaskName, request: Request) -> Task:
    # One question needs no transaction, and so no round trip to end one.
    glances = request.app.state.database.engine.execution_options(isolation_level="AUTOCOMMIT")
    with glances.connect() as connection:
        return find_task(connection, task)


TaskDep = Annotated[Task, Depends(_asked)]

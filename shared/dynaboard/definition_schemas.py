"""Definitions of tasks as they travel over HTTP."""

from datetime import datetime

from pydantic import Field

from dynaboard.schemas import Schema
from dynaboard.task_bundle import TaskBundle


class DefinitionView(Schema):
    """A task's definition with the settings in force; version 0 comes with Dynaboard."""

    version: int
    definition: TaskBundle
    created_by: str | None = None
    created_at: datetime | None = None


class DefinitionApplied(Schema):
    """What a definition has changed, or would change."""

    task: str
    version: int = Field(description="Of the definition in force.")
    settings_version: int
    created: bool = Field(description="Whether the task is new.")
    changes: list[str] = Field(description="What differs from before, one sentence each; empty: nothing.")
    applied: bool = Field(description="False: it was only tried.")

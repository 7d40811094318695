"""A dataset as its callers may see it."""

from typing import Any

from dynaboard.identity import Caller, Role
from dynaboard.phases import has_schedule, labels_are_open, phase_of
from dynaboard.schemas import DatasetView
from dynaboard.tables import Dataset


def dataset_view(dataset: Dataset, caller: Caller) -> DatasetView:
    """How often each label and tag occurs tells of labels too, and so do the bytes of all lines."""
    view = DatasetView.model_validate(dataset, from_attributes=True)
    closed = has_schedule(dataset) and not labels_are_open(dataset) and not caller.at_least(Role.TASK_OWNER)
    withheld: dict[str, Any] = {"labels": {}, "tags": {}, "size": 0} if closed else {}
    if view.repeats and not caller.at_least(Role.TASK_OWNER):
        seen = [each for each in view.repeats.overlaps if not each.hidden]
        withheld["repeats"] = view.repeats.model_copy(update={"overlaps": seen})
    return view.model_copy(update={"phase": phase_of(dataset), **withheld})

"""What is said about back-fill over HTTP."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from dynaboard.schemas import Schema

Mode = Literal["auto", "all", "paused"]
RunState = Literal["planned", "waits", "queued", "running", "failed"]


class BackfillText(Schema):
    """A dataset, or a perturbed copy of it, that a model is to be run on."""

    dataset: str
    version: int
    suite: str = Field("", description="Empty for the dataset itself, else fairness or robustness.")
    why: Literal["data", "perturbation", "measurement"] = Field(
        description="The model never saw this data; the copy is made otherwise now; the cost is measured otherwise now."
    )
    examples: int = Field(description="Texts; of a copy that is not made yet an estimate.")


class BackfillItem(Schema):
    """One model that is run again, with what it lacks."""

    submission_id: str
    model: str
    version: int
    owner: str | None
    state: RunState = Field(description="waits: for `start`, or because the back-fill is paused.")
    texts: list[BackfillText]
    examples: int
    seconds: float = Field(description="Predicted, on one evaluator.")
    step: str | None = None
    reason: str | None = None
    since: datetime | None = None


class BackfillView(Schema):
    """What a task's boards lack of predictions and costs, and what it will take."""

    task: str
    mode: Mode = Field(description="auto: new data alone is filled in without a word.")
    sentence: str = Field(examples=["47 models × 1 dataset, about 3 h on 2 evaluators"])
    waiting: str = Field(description="The same of what waits for `start`.")
    evaluators: int
    examples: int
    minutes: float = Field(description="Predicted, on all evaluators, of what does not wait.")
    held: list[str] = Field(description="Datasets that wait for `start`.")
    items: list[BackfillItem]


class MissingMetric(Schema):
    """A metric that some stored predictions were not given yet."""

    metric: str
    version: str
    evaluations: int
    examples: int


class FillView(Schema):
    """Which metrics are still to be computed from stored predictions; no model is started for it."""

    task: str
    sentence: str = Field(examples=["500 cells of 1 metric, about 40 s; no model is started"])
    cells: int
    examples: int
    seconds: float | None = Field(description="Predicted from what was filled in last; null before there was any.")
    metrics: list[MissingMetric]

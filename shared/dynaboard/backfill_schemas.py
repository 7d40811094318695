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


class FailedMetric(Schema):
    """A metric that an operator added, and that fails."""

    metric: str
    version: str
    evaluations: int = Field(description="Whose predictions it fails on.")
    reason: str = Field(examples=["The metric rouge_1 (version 1) failed: ZeroDivisionError: division by zero"])


class FillView(Schema):
    """Which metrics are still to be computed from stored predictions; no model is started for it."""

    task: str
    sentence: str = Field(examples=["500 cells of 1 metric from 50,000 stored predictions; no model is started"])
    paused: bool
    cells: int
    examples: int
    metrics: list[MissingMetric]
    failed: list[FailedMetric] = Field(
        [], description="Not tried again before the scoring service is started anew, with the metric mended."
    )


class MovedModel(Schema):
    """A model under two versions of a metric."""

    model_id: str
    submission_id: str
    model: str
    rank_before: int
    rank_after: int
    before: float
    after: float
    change: float


class MetricDifference(Schema):
    """A board's datasets under two versions of a metric: who moved."""

    task: str
    metric: str
    before: str = Field(description="The older version.")
    after: str
    versions: list[str] = Field(description="All there are cells of, oldest first.")
    in_force: str = Field(description="The version that is computed now, and that a board shows.")
    datasets: list[str] = Field(description="Those on which both were computed for every model listed.")
    sentence: str = Field(examples=["3 of 12 models change places; the greatest change is 1.2 points"])
    models: list[MovedModel] = Field(description="By their rank after; the mean over the datasets.")

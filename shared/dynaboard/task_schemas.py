"""What a task's owner sets, as it travels over HTTP and lies in the database."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from dynaboard.schemas import Name, Schema
from dynaboard.task import AnswerKind

MetricName = Literal["performance", "throughput", "memory", "fairness", "robustness"]
Weight = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class EpsilonSetting(Schema):
    """The least difference of neighbours that makes a trade-off: a share of the greatest base value, or points."""

    model_config = ConfigDict(frozen=True)

    mode: Literal["relative", "absolute"] = "relative"
    value: float = Field(default=1e-4, ge=0, le=1e9, allow_inf_nan=False)


class TaskSettings(Schema):
    """How a task's board is made for a viewer who chooses nothing. Whatever is left out is the paper's default."""

    model_config = ConfigDict(frozen=True)

    weights: dict[MetricName, Weight] = Field(
        default={}, description="Per metric, any scale; the base metric has 4 and each other 1 unless named."
    )
    dataset_weights: dict[Name, Weight] = Field(
        default={}, max_length=200, description="Per dataset, any scale; each has 1 unless named."
    )
    memory_budget_gib: float | None = Field(
        default=None,
        gt=0,
        le=1e6,
        allow_inf_nan=False,
        description="GiB from which saved memory is counted; null: what the hardware grants a model.",
    )
    epsilon: EpsilonSetting = EpsilonSetting()
    base_metric: MetricName = Field(
        default="performance", description="The metric whose points the others are counted in."
    )


class SettingsChange(TaskSettings):
    """New settings, whole: what is left out becomes the paper's default."""

    based_on: int | None = Field(
        None, ge=0, description="The version that was changed; refused if there is a newer one by now."
    )


class SettingsVersion(Schema):
    """Settings with their version; 0, by nobody: the paper's defaults, as nobody has set any."""

    version: int
    settings: TaskSettings
    created_by: str | None = None
    created_at: datetime | None = None


class SettingsView(SettingsVersion):
    """The settings in force, with those before them."""

    task: str
    weights: dict[str, float] = Field(description="Default weights of all metrics as they count: they sum to 1.")
    dataset_weights: dict[str, float] = Field(
        description="Default weights of the datasets that rank now, as they count: they sum to 1."
    )
    memory_budget_gib: float = Field(
        description="GiB from which saved memory counts now: as set, else what the measuring machine grants a model."
    )
    history: list[SettingsVersion] = Field(description="Every version, newest first.")


class TaskView(Schema):
    """An NLP task: what a model gets, what it must answer, and what ranks it."""

    name: str
    title: str
    description: str = ""
    warning: str = Field("", description="What must be said wherever this task's numbers are shown.")
    inputs: list[str] = Field(description="The fields of an example that a model sees.")
    token_inputs: list[str] = Field([], description="Those of them that are lists of tokens; the others are texts.")
    labels: list[str] = Field(description="The labels to choose from; empty unless the answer is one of them.")
    answer_kind: AnswerKind = "label"
    answer_field: str = Field(description="The field of a model's answer that counts.")
    answer_of: str = Field("", description="The input that the answer is a piece of, or whose tokens it labels.")
    token_labels: list[str] = Field([], description="The labels of tokens; empty unless tokens are labelled.")
    performance_metric: str
    metrics: list[str] = Field([], description="The other metrics of answers.")
    suites: list[str] = Field([], description="The perturbations that are run.")
    default_weights: dict[str, float] = Field(description="Per metric; they sum to 1.")
    example: dict[str, str | list[str]] = Field(description="An input to try on a model.")
    definition_version: int = Field(0, description="Of the definition in force; 0: as it comes with Dynaboard.")
    settings_version: int = Field(description="Of the settings in force; 0: nobody has set any.")
    settings: TaskSettings

"""What a viewer may ask of a leaderboard, read strictly: an unknown name is told, not ignored."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from dynaboard.board_schemas import Fingerprint, Moment
from dynaboard.errors import Invalid
from dynaboard.task_schemas import MetricName
from services.scoring.method import Epsilon, EpsilonMode, Method, Slope

METRIC_NAMES: tuple[str, ...] = get_args(MetricName)
WEIGHT, DATASET_WEIGHT = "weight.", "dataset_weight."


class LeaderboardQuery(BaseModel):
    """The named parameters; beside them `weight.METRIC` and `dataset_weight.DATASET`, any number of at least 0."""

    model_config = ConfigDict(extra="allow", frozen=True)

    aggregation: Annotated[Literal["dynascore", "zscore"], Field(description="How metrics become one number.")] = (
        "dynascore"
    )
    base: Annotated[
        MetricName | None,
        Field(description="The metric whose points the others are counted in; left out: the task's."),
    ] = None
    epsilon_mode: Annotated[
        EpsilonMode | None,
        Field(description="A share of the greatest base value, or points; left out: the task's."),
    ] = None
    epsilon: Annotated[
        float | None,
        Field(
            ge=0, allow_inf_nan=False, description="The least difference that makes a trade-off; left out: the task's."
        ),
    ] = None
    amrs_method: Annotated[Slope, Field(description="How slopes become a rate: the paper's mean, or their median.")] = (
        Slope.MEAN
    )
    tag: Annotated[
        str | None,
        Field(
            max_length=200,
            description="Count quality only on examples that have this tag; `explanations` say what cannot.",
        ),
    ] = None
    as_of: Annotated[
        Moment | None,
        Field(
            description="The board as it stood at this time, such as 2026-05-03T12:00:00Z.",
            examples=["2026-05-03T12:00:00Z"],
        ),
    ] = None
    hardware: Annotated[
        Fingerprint | None,
        Field(description="Fingerprint of the hardware profile whose cost counts; left out: the commonest."),
    ] = None
    unpublished: Annotated[
        bool, Field(description="Include unpublished models that you may see, as if they were published.")
    ] = False
    detail: Annotated[
        Literal["full", "ranking"],
        Field(description="ranking: without uncertainty and cells of datasets; fast under ever new weights."),
    ] = "full"
    sort: Literal["score", "mean_rank", "name"] | MetricName = "score"
    order: Annotated[
        Literal["ascending", "descending"] | None, Field(description="Left out: best first, names A to Z.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    offset: Annotated[int, Field(ge=0)] = 0

    @property
    def direction(self) -> Literal["ascending", "descending"]:
        """The order asked for, or else the best first."""
        return self.order or ("ascending" if self.sort in {"name", "memory", "mean_rank"} else "descending")

    def method(self, default: Method) -> Method:
        """The viewer's choices over the task's. Raises Invalid for an unknown parameter or a bad weight."""
        extra: Mapping[str, object] = self.model_extra or {}
        for name in extra:
            if not name.startswith((WEIGHT, DATASET_WEIGHT)):
                known = ", ".join([*LeaderboardQuery.model_fields, f"{WEIGHT}METRIC", f"{DATASET_WEIGHT}DATASET"])
                raise Invalid(f"There is no parameter '{name}'; there are {known}.")
        return replace(
            default,
            weights=_weights(extra, WEIGHT),
            dataset_weights=_weights(extra, DATASET_WEIGHT),
            base=self.base or default.base,
            epsilon=self._epsilon(default.epsilon),
            slope=self.amrs_method,
        )

    def _epsilon(self, default: Epsilon) -> Epsilon:
        """The task's, or the chosen value; the task's value means nothing in another mode."""
        mode = self.epsilon_mode or default.mode
        value = default.value if mode is default.mode else Epsilon().value
        return Epsilon(mode, value if self.epsilon is None else self.epsilon)


def _weights(extra: Mapping[str, object], prefix: str) -> dict[str, float]:
    weights = {}
    for name, value in extra.items():
        if name.startswith(prefix):
            try:
                weights[name.removeprefix(prefix)] = float(str(value))
            except ValueError:
                raise Invalid(f"{name} must be a number of at least 0, not '{value}'.") from None
    return weights

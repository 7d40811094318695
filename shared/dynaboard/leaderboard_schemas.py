"""What travels over HTTP of leaderboards: cells, rows, and a board with everything that made its numbers."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from dynaboard.schemas import Schema


class CellView(Schema):
    """A number with its interval and where it comes from."""

    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int
    unit: str
    flags: list[str] = []
    provenance: dict[str, Any] = {}


class ScoreView(CellView):
    """A submission's cell on one dataset or a perturbed copy of it, or on the part of it that a tag names.

    Tags are the dataset's own or, on a perturbed copy, `kind:` and `group:` with a transformation or two groups.
    """

    dataset: str
    dataset_version: int
    dataset_digest: str
    perturbation_digest: str = ""
    role: str
    metric_version: str
    tag: str = ""
    created_at: datetime


class LeaderboardDataset(Schema):
    """A model's cells on one dataset, by metric name."""

    name: str
    version: int
    digest: str
    role: str
    weight: float
    cells: dict[str, CellView]


class LeaderboardRow(Schema):
    """One model on the board. `rank` and `score` are absent where a ranked dataset or metric is missing."""

    rank: int | None
    score: float | None
    score_low: float | None = Field(None, description="The 95 % interval of the score, exchange rates held fixed.")
    score_high: float | None = None
    rank_low: int | None = Field(None, description="The best rank the data leaves open, 95 % sure for all models.")
    rank_high: int | None = Field(None, description="The worst rank the data leaves open.")
    tie_group: int | None = Field(None, description="1: the best model and those next that it does not clearly beat.")
    first: float | None = Field(None, description="The share of resamples in which it has the highest score.")
    pareto: bool | None = Field(None, description="No other model is as good in every metric and better in one.")
    aggregations: dict[str, float | None] = Field({}, description="dynascore, zscore and mean_rank, side by side.")
    model_id: str
    submission_id: str
    name: str
    version: int
    owner: str | None
    digest: str
    verified: bool
    baseline: bool
    published: bool
    metrics: dict[str, CellView | None]
    missing: list[str] = []
    flags: list[str] = []
    datasets: list[LeaderboardDataset] = []


class BoardUncertainty(Schema):
    """How intervals and ties were found, and how sure the exchange rates are."""

    confidence: float
    replicates: int
    method: Literal["max-t", "bonferroni"] = Field(description="How all pairs of models are compared at once.")
    critical_value: float = Field(description="Models differ when their scores do by so many standard errors.")
    amrs: dict[str, tuple[float, float] | None] = Field(description="The 95 % interval of each AMRS.")
    unpaired_cells: int = Field(description="Cells with an interval only: taken as independent, so ties are wider.")
    certain_cells: int = Field(description="Cells without any interval: taken at their word.")


class LeaderboardView(Schema):
    """A ranked board and everything that made its numbers."""

    task: str
    aggregation: Literal["dynascore", "zscore"]
    rows: list[LeaderboardRow]
    total: int
    limit: int
    offset: int
    sort: str
    order: Literal["ascending", "descending"]
    base_metric: str
    weights: dict[str, float]
    dataset_weights: dict[str, float]
    settings_version: int | None = Field(
        None, description="Of the task's settings; 0: nobody has set any, null: they are proposed, or the board is old."
    )
    task_weights: dict[str, float] = Field(
        {}, description="What a metric weighs unless the query says so, on the query's scale."
    )
    task_dataset_weights: dict[str, float] = Field({}, description="The same of datasets.")
    datasets: list[dict[str, Any]]
    units: dict[str, str]
    amrs: dict[str, float | None]
    exchange_rates: dict[str, float | None]
    kept_pairs: dict[str, int]
    excluded: dict[str, str]
    epsilon: dict[str, Any]
    metric_versions: dict[str, str] = Field(
        {}, description="Of the metrics of quality; a corrected metric has a new version, and its old cells stay."
    )
    memory_budget_gib: float
    hardware_profile: str | None
    pool: list[str]
    tag: str | None = Field(None, description="The slice: quality counts on its examples only; see `explanations`.")
    amrs_method: Literal["mean", "median"] = "mean"
    uncertainty: BoardUncertainty | None = None
    explanations: list[str] = Field([], description="What a unit of each metric is worth here, a sentence each.")
    warnings: list[str] = []
    generated_at: datetime

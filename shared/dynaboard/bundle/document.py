"""What a bundle says of itself: `bundle.json`, the first of its members."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from dynaboard.schemas import Digest, Schema

DOCUMENT = "bundle.json"
FORMAT = 1
# Of a bundle from a stranger: no name leads anywhere else.
MEMBER = (
    r"^(board\.json|model\.zip|replicates\.npz|predictions/[0-9a-f]{32}\.parquet"
    r"|(datasets|perturbed)/[0-9a-f]{64}\.jsonl\.gz)$"
)
MOST_REPLICATES, DEFAULT_REPLICATES = 100_000, 1_000
MemberName = Annotated[str, Field(pattern=MEMBER)]


class BundledDataset(Schema):
    """One version of a dataset that results are about."""

    name: str
    version: int
    digest: Digest
    role: str
    licence: str
    citation: str
    examples: int
    member: MemberName | None = Field(description="Where its examples are; null where they may not be handed out.")


class BundledEvaluation(Schema):
    """A model's answers to a dataset, or to a perturbed copy of it."""

    id: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    dataset: Digest
    perturbation: str = ""
    perturbation_digest: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""
    predictions: MemberName | None
    predictions_digest: Digest
    numbered: bool = Field(description="Ids are positions in the dataset, whose own ids may tell labels.")
    copy_member: MemberName | None = Field(description="Where the perturbed copy is.")
    provenance: dict[str, Any]


class BundledCell(Schema):
    """One number with all that it depends on."""

    table: Literal["scores", "measurements"]
    model_digest: Digest
    dataset_digest: Digest
    perturbation_digest: str
    metric: str
    metric_version: str
    hardware_profile: str
    protocol_version: str
    tag: str = ""
    value: float
    low: float | None
    high: float | None
    n: int
    unit: str
    flags: list[Any]
    provenance: dict[str, Any]
    created_at: datetime

    @property
    def replicates(self) -> int:
        """How many resamples made its interval; at most what a machine can bear."""
        found = self.provenance.get("interval")
        count = found.get("replicates") if isinstance(found, dict) else None
        return min(count, MOST_REPLICATES) if isinstance(count, int) and count > 0 else DEFAULT_REPLICATES

    @property
    def title(self) -> str:
        """As a sentence names it."""
        of = f" of {self.tag}" if self.tag else ""
        perturbed = f", copy {self.perturbation_digest[:8]}" if self.perturbation_digest else ""
        return f"{self.metric}{of} (dataset {self.dataset_digest[:8]}{perturbed})"


class BundledModel(Schema):
    """The submission the numbers are about."""

    submission_id: str
    model_id: str
    name: str
    version: int
    kind: str
    digest: Digest
    manifest: dict[str, Any] | None


class BundleDocument(Schema):
    """Everything about one evaluated submission, or one frozen leaderboard, but the bulk of its files."""

    format: Literal[1] = 1
    kind: Literal["evaluation", "board"]
    made_at: datetime
    made_with: dict[str, str] = Field(description="Versions of Dynaboard, Python and the libraries that computed.")
    task: dict[str, Any] = Field(description="The definition of the NLP task.")
    model: BundledModel | None = None
    datasets: list[BundledDataset] = []
    evaluations: list[BundledEvaluation] = []
    cells: list[BundledCell] = []
    hardware: dict[str, dict[str, Any]] = Field(default={}, description="What each hardware fingerprint stands for.")
    snapshot: str = Field(default="", description="The address of the frozen board.")
    chosen: dict[str, dict[str, float]] = Field(default={}, description="The weights of the frozen board's viewer.")
    files: dict[MemberName, Digest] = Field(description="The sha256 of every other member.")

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        datasets = {dataset.digest for dataset in self.datasets}
        originals = {evaluation.dataset for evaluation in self.evaluations if not evaluation.perturbation}
        for evaluation in self.evaluations:
            if evaluation.dataset not in datasets:
                raise ValueError(f"evaluation {evaluation.id} is on a dataset that the bundle does not name")
            if evaluation.dataset not in originals:
                raise ValueError(f"evaluation {evaluation.id} of a perturbed copy has no original beside it")
        if self.kind == "evaluation" and self.model is None:
            raise ValueError("the bundle of an evaluation must say of which model")
        return self


class SigningKeyView(Schema):
    """The public half of the key that this installation signs bundles with."""

    algorithm: Literal["ed25519"]
    key: str = Field(description="Base64 of its 32 bytes.")
    fingerprint: str = Field(description="The first digits of the sha256 of the key, to be read out.")

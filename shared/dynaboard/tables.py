"""Every table of the platform. Each has one writer (named in its docstring); the others only read it."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    BigInteger,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


def new_id() -> str:
    """An id nobody can guess: 122 random bits in hex."""
    return uuid4().hex


def now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


class Table(DeclarativeBase):
    """What all tables share: constraint names that migrations can rely on, JSON as JSONB, times with zones."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - the name and shape are SQLAlchemy's
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[Any]: JSONB,
    }


class User(Table):
    """A person or program that may sign in. Writer: gateway."""

    __tablename__ = "users"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(default=now)


class ApiKey(Table):
    """The sha256 of an API key; the key itself is shown once and never stored. Writer: gateway."""

    __tablename__ = "api_keys"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    label: Mapped[str] = mapped_column(String(64), default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    revoked_at: Mapped[datetime | None]


class AuditEntry(Table):
    """Who changed what, when. Append-only. Writer: gateway."""

    __tablename__ = "audit_log"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(default=now, index=True)
    user_name: Mapped[str] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(200))
    status: Mapped[int]


class Model(Table):
    """One named model of one owner for one task; its submissions are its versions. Writer: upload."""

    __tablename__ = "models"
    __table_args__ = (UniqueConstraint("task", "owner", "name"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    task: Mapped[str] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(64))
    owner: Mapped[str] = mapped_column(String(64), index=True)
    anonymous: Mapped[bool] = mapped_column(default=False)
    published: Mapped[bool] = mapped_column(default=False)
    baseline: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Publication(Table):
    """Who could see a model, and its owner's name, from this moment on. Append-only. Writer: upload."""

    __tablename__ = "publications"
    __table_args__ = (Index("ix_publications_task_id", "task", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    task: Mapped[str] = mapped_column(String(32))
    model_id: Mapped[str] = mapped_column(ForeignKey("models.id"), index=True)
    published: Mapped[bool]
    anonymous: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Submission(Table):
    """One version of a model. Writer: upload; what `status.move` writes: the service that owns the step."""

    __tablename__ = "submissions"
    __table_args__ = (UniqueConstraint("model_id", "version"), Index("ix_submissions_task_status", "task", "status"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    model_id: Mapped[str] = mapped_column(ForeignKey("models.id"), index=True)
    task: Mapped[str] = mapped_column(String(32))
    owner: Mapped[str] = mapped_column(String(64), index=True)
    version: Mapped[int]
    # "model", "mar" or "predictions"; the last is unverified: the platform did not run it.
    kind: Mapped[str] = mapped_column(String(16), default="model")
    status: Mapped[str] = mapped_column(String(16), default="submitting")
    step: Mapped[str | None] = mapped_column(String(300))
    reason: Mapped[str | None] = mapped_column(String(2000))
    # Whose failure it is when status is failed: "model" or "platform".
    failure: Mapped[str | None] = mapped_column(String(16))
    digest: Mapped[str | None] = mapped_column(String(64), index=True)
    size: Mapped[int] = mapped_column(BigInteger, default=0)
    manifest: Mapped[dict[str, Any] | None]
    upload_id: Mapped[str | None] = mapped_column(String(1024))
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class Dataset(Table):
    """One version of a dataset; its canonical lines lie in storage under its digest. Writer: evaluator."""

    __tablename__ = "datasets"
    __table_args__ = (UniqueConstraint("task", "name", "version"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    task: Mapped[str] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(62))
    version: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64), index=True)
    # scoring: ranked; standard: reported, not ranked; hidden: seen by the task owner only.
    role: Mapped[str] = mapped_column(String(16))
    # training, test-unlabelled or labels-released (the AMI shared task's stages).
    phase: Mapped[str] = mapped_column(String(20), default="labels-released")
    # Where a test set has dates they decide the phase (dynaboard.phases): inputs open, then labels released.
    unlabelled_from: Mapped[datetime | None]
    released_from: Mapped[datetime | None]
    active: Mapped[bool] = mapped_column(default=True)
    licence: Mapped[str] = mapped_column(String(300))
    citation: Mapped[str] = mapped_column(String(2000))
    description: Mapped[str] = mapped_column(String(2000), default="")
    examples: Mapped[int]
    size: Mapped[int] = mapped_column(BigInteger)
    labels: Mapped[dict[str, Any]]
    tags: Mapped[dict[str, Any]]
    # Examples that occur twice, or in other datasets of the task too; None where nobody has looked.
    repeats: Mapped[dict[str, Any] | None]
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)


class DatasetChange(Table):
    """What a dataset counts for from this moment on. Append-only. Writer: evaluator."""

    __tablename__ = "dataset_changes"
    __table_args__ = (Index("ix_dataset_changes_task_id", "task", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    task: Mapped[str] = mapped_column(String(32))
    dataset_id: Mapped[str] = mapped_column(ForeignKey("datasets.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    active: Mapped[bool]
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)


class PerturbedCopy(Table):
    """A dataset's variants under a suite and recipe, in storage under their digest. Append-only. Writer: evaluator."""

    __tablename__ = "perturbed_copies"
    __table_args__ = (UniqueConstraint("dataset_digest", "suite", "recipe"),)

    # The newest copy of a dataset and suite is the one that counts on the leaderboard.
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    dataset_digest: Mapped[str] = mapped_column(String(64))
    suite: Mapped[str] = mapped_column(String(16))
    # sha256 of everything that decides the variants: engine, versions, seed, word lists, pipeline of entities.
    recipe: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(64), index=True)
    variants: Mapped[int]
    manifest: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Evaluation(Table):
    """One submission on one dataset, or on a perturbed copy of it. Writer: evaluator."""

    __tablename__ = "evaluations"
    __table_args__ = (
        UniqueConstraint(
            "submission_id", "dataset_id", "perturbation", "perturbation_digest", name="uq_evaluations_of_copy"
        ),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    dataset_id: Mapped[str] = mapped_column(ForeignKey("datasets.id"), index=True)
    # The suite (robustness, fairness) and the digest of the perturbed copy; both "" for the dataset itself.
    perturbation: Mapped[str] = mapped_column(String(64), default="")
    perturbation_digest: Mapped[str] = mapped_column(String(64), default="")
    # waiting, running, predicted (predictions stored) or finished (cost measured too).
    status: Mapped[str] = mapped_column(String(16), default="waiting")
    done: Mapped[int] = mapped_column(Integer, default=0)
    total: Mapped[int] = mapped_column(Integer)
    seconds: Mapped[float] = mapped_column(Float, default=0.0)
    predictions_key: Mapped[str | None] = mapped_column(String(300))
    predictions_digest: Mapped[str | None] = mapped_column(String(64))
    provenance: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)
    finished_at: Mapped[datetime | None]


class HardwareProfile(Table):
    """What a cost was measured on; numbers are ranked only within one fingerprint. Writer: evaluator."""

    __tablename__ = "hardware_profiles"

    fingerprint: Mapped[str] = mapped_column(String(64), primary_key=True)
    description: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)


class ReferenceRating(Table):
    """The reference model's examples/s on a hardware profile, found once: what throughputs are multiples of.

    `provenance` holds the blocks that told it. Append-only. Writer: evaluator.
    """

    __tablename__ = "reference_ratings"

    hardware_profile: Mapped[str] = mapped_column(String(64), primary_key=True)
    protocol_version: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[float]
    low: Mapped[float]
    high: Mapped[float]
    provenance: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Cell:
    """The columns of one result: value = f(model, dataset, perturbation, metric and version, hardware, protocol)."""

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    model_digest: Mapped[str] = mapped_column(String(64), index=True)
    dataset_digest: Mapped[str] = mapped_column(String(64))
    perturbation_digest: Mapped[str] = mapped_column(String(64), default="")
    metric: Mapped[str] = mapped_column(String(100))
    metric_version: Mapped[str] = mapped_column(String(16))
    hardware_profile: Mapped[str] = mapped_column(String(64), default="")
    protocol_version: Mapped[str] = mapped_column(String(32), default="")
    value: Mapped[float]
    low: Mapped[float | None]
    high: Mapped[float | None]
    n: Mapped[int]
    unit: Mapped[str] = mapped_column(String(32))
    # Words shown wherever the number is shown: quick, noisy, unsettled, unsandboxed …
    flags: Mapped[list[Any]] = mapped_column(default=list)
    provenance: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)


CELL_KEY = (
    "model_digest",
    "dataset_digest",
    "perturbation_digest",
    "metric",
    "metric_version",
    "hardware_profile",
    "protocol_version",
)


class Measurement(Cell, Table):
    """A cost cell (throughput, memory, latency …). Append-only. Writer: evaluator."""

    __tablename__ = "measurements"
    __table_args__ = (UniqueConstraint(*CELL_KEY, name="uq_measurements_cell"),)


class Score(Cell, Table):
    """A quality cell, over all examples or over those of one `tag`. Append-only. Writer: scoring."""

    __tablename__ = "scores"
    __table_args__ = (UniqueConstraint(*CELL_KEY, "tag", name="uq_scores_cell"),)

    tag: Mapped[str] = mapped_column(String(200), default="")
    # The value under each resample of the dataset's examples, little-endian float32; only of what is ranked.
    # Resample r of a dataset is the same for every model, so differences are paired. Loaded only when asked for.
    replicates: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)


class EmptyCell(Table):
    """A cell that has no value: its metric does not apply to these predictions, or it failed on them. Writer: scoring.

    `failure` says how; such a cell is tried again when scoring has been started anew, for the metric may be mended.
    """

    __tablename__ = "empty_cells"
    __table_args__ = (
        UniqueConstraint(
            "model_digest",
            "dataset_digest",
            "perturbation_digest",
            "metric",
            "metric_version",
            name="uq_empty_cells_key",
        ),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    model_digest: Mapped[str] = mapped_column(String(64))
    dataset_digest: Mapped[str] = mapped_column(String(64))
    perturbation_digest: Mapped[str] = mapped_column(String(64), default="")
    metric: Mapped[str] = mapped_column(String(100))
    metric_version: Mapped[str] = mapped_column(String(16))
    failure: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=now)


class BackfillSwitch(Table):
    """What a task's owner has said about its back-fill; without a row it is automatic. Writer: evaluator."""

    __tablename__ = "backfill_switches"

    task: Mapped[str] = mapped_column(String(32), primary_key=True)
    # auto (new data only), all (everything that is missing) or paused.
    mode: Mapped[str] = mapped_column(String(16), default="auto")
    # Ids of datasets that wait for `start`.
    held: Mapped[list[Any]] = mapped_column(default=list)
    # What failed earlier than this may be tried again.
    retry_from: Mapped[datetime | None]
    changed_by: Mapped[str] = mapped_column(String(64))
    changed_at: Mapped[datetime] = mapped_column(default=now)


class BackfillRun(Table):
    """One old submission run again for what it lacks, beside its status. Writer: evaluator."""

    __tablename__ = "backfill_runs"
    __table_args__ = (
        Index("ix_backfill_runs_task_state", "task", "state"),
        Index(
            "uq_backfill_runs_open",
            "submission_id",
            unique=True,
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    task: Mapped[str] = mapped_column(String(32))
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    owner: Mapped[str] = mapped_column(String(64))
    # queued, running, done or failed; one that was withdrawn (paused) is deleted.
    state: Mapped[str] = mapped_column(String(16), default="queued")
    # What it is to do, [dataset id, suite, copy, kind] each; and what of that the model failed on.
    wanted: Mapped[list[Any]]
    failed_on: Mapped[list[Any]] = mapped_column(default=list)
    step: Mapped[str | None] = mapped_column(String(300))
    reason: Mapped[str | None] = mapped_column(String(2000))
    predicted_examples: Mapped[int] = mapped_column(BigInteger, default=0)
    predicted_seconds: Mapped[float] = mapped_column(default=0.0)
    seconds: Mapped[float] = mapped_column(default=0.0)
    created_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class TaskDefinition(Table):
    """A version of a task's whole definition (task_bundle), but for its settings. Append-only. Writer: scoring."""

    __tablename__ = "task_definitions"
    __table_args__ = (UniqueConstraint("task", "version"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    task: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    definition: Mapped[dict[str, Any]]
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)


class TaskSetting(Table):
    """A version of what a task's owner has set: weights, budget, epsilon, base. Append-only. Writer: scoring."""

    __tablename__ = "task_settings"
    __table_args__ = (UniqueConstraint("task", "version"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    task: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    settings: Mapped[dict[str, Any]]
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Board(Table):
    """A task's leaderboard under default weights when something changed it. Append-only. Writer: scoring."""

    __tablename__ = "boards"
    __table_args__ = (Index("ix_boards_task_id", "task", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=True)
    task: Mapped[str] = mapped_column(String(32))
    # The submission that landed; none where the task's settings changed, or metrics were filled in for many.
    submission_id: Mapped[str | None] = mapped_column(String(32))
    digest: Mapped[str] = mapped_column(String(64))
    document: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Snapshot(Table):
    """A leaderboard as somebody saw it: the very bytes its address gives for ever. Append-only. Writer: scoring."""

    __tablename__ = "snapshots"

    # The first characters of the digest in base32: the address.
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    task: Mapped[str] = mapped_column(String(32), index=True)
    digest: Mapped[str] = mapped_column(String(64))
    body: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    # The viewer's own weights, and the cell behind each number: what a bundle of it holds. None in the oldest ones.
    sources: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    # False: it holds models that were not published, so it is its maker's alone.
    public: Mapped[bool]
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Fork(Table):
    """Weights with a name and a description, over the live board or over a snapshot. Append-only. Writer: scoring."""

    __tablename__ = "forks"
    __table_args__ = (UniqueConstraint("task", "created_by", "name"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    task: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(64))
    description: Mapped[str] = mapped_column(String(2000))
    weights: Mapped[dict[str, Any]]
    dataset_weights: Mapped[dict[str, Any]]
    snapshot_id: Mapped[str | None] = mapped_column(ForeignKey("snapshots.id"))
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)

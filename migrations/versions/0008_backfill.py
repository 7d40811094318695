"""Back-fill: its switch for each task, its runs, and the cells that have no value."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    json = postgresql.JSONB(astext_type=sa.Text())
    op.create_table(
        "empty_cells",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("model_digest", sa.String(length=64), nullable=False),
        sa.Column("dataset_digest", sa.String(length=64), nullable=False),
        sa.Column("perturbation_digest", sa.String(length=64), nullable=False),
        sa.Column("metric", sa.String(length=100), nullable=False),
        sa.Column("metric_version", sa.String(length=16), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_empty_cells")),
        sa.UniqueConstraint(
            "model_digest",
            "dataset_digest",
            "perturbation_digest",
            "metric",
            "metric_version",
            name="uq_empty_cells_key",
        ),
    )
    op.create_table(
        "backfill_switches",
        sa.Column("task", sa.String(length=32), nullable=False),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("held", json, nullable=False),
        sa.Column("retry_from", TIME, nullable=True),
        sa.Column("changed_by", sa.String(length=64), nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("task", name=op.f("pk_backfill_switches")),
    )
    op.create_table(
        "backfill_runs",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("task", sa.String(length=32), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("wanted", json, nullable=False),
        sa.Column("failed_on", json, nullable=False),
        sa.Column("step", sa.String(length=300), nullable=True),
        sa.Column("reason", sa.String(length=2000), nullable=True),
        sa.Column("predicted_examples", sa.BigInteger(), nullable=False),
        sa.Column("predicted_seconds", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("started_at", TIME, nullable=True),
        sa.Column("finished_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_backfill_runs_submission_id_submissions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backfill_runs")),
    )
    op.create_index(op.f("ix_backfill_runs_submission_id"), "backfill_runs", ["submission_id"])
    op.create_index("ix_backfill_runs_task_state", "backfill_runs", ["task", "state"])
    open_ = sa.text("state IN ('queued', 'running')")
    op.create_index("uq_backfill_runs_open", "backfill_runs", ["submission_id"], unique=True, postgresql_where=open_)


def downgrade() -> None:
    op.drop_table("backfill_runs")
    op.drop_table("backfill_switches")
    op.drop_table("empty_cells")

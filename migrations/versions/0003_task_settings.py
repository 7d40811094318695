"""What a task's owner sets, and what a dataset counts for, as append-only records."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "task_settings",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("task", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settings", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_settings")),
        sa.UniqueConstraint("task", "version", name=op.f("uq_task_settings_task_version")),
    )
    op.create_table(
        "dataset_changes",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("task", sa.String(length=32), nullable=False),
        sa.Column("dataset_id", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_dataset_changes_dataset_id_datasets")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dataset_changes")),
    )
    op.create_index("ix_dataset_changes_task_id", "dataset_changes", ["task", "id"])
    op.create_index(op.f("ix_dataset_changes_dataset_id"), "dataset_changes", ["dataset_id"])
    # A board that no landing made: the settings of its task have changed.
    op.alter_column("boards", "submission_id", existing_type=sa.String(length=32), nullable=True)


def downgrade() -> None:
    op.execute("DELETE FROM boards WHERE submission_id IS NULL")
    op.alter_column("boards", "submission_id", existing_type=sa.String(length=32), nullable=False)
    op.drop_table("dataset_changes")
    op.drop_table("task_settings")

"""When a test set's inputs are opened and its labels released."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("datasets", sa.Column("unlabelled_from", sa.DateTime(timezone=True), nullable=True))
    op.add_column("datasets", sa.Column("released_from", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("datasets", "released_from")
    op.drop_column("datasets", "unlabelled_from")

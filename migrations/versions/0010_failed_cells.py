"""How a metric failed on predictions, where it did."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("empty_cells", sa.Column("failure", sa.Text(), nullable=True))


def downgrade() -> None:
    op.execute("DELETE FROM empty_cells WHERE failure IS NOT NULL")  # else they would never be tried again
    op.drop_column("empty_cells", "failure")

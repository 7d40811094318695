"""The job queue: procrastinate's own schema, from its wheel."""

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

DROP = """
DO $$ DECLARE item record;
BEGIN
  FOR item IN SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename LIKE 'procrastinate\\_%' LOOP
    EXECUTE format('DROP TABLE %I CASCADE', item.name);
  END LOOP;
  FOR item IN SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname = 'public' AND p.proname LIKE 'procrastinate\\_%' LOOP
    EXECUTE 'DROP FUNCTION ' || item.name || ' CASCADE';
  END LOOP;
  FOR item IN SELECT t.typname AS name FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
      WHERE n.nspname = 'public' AND t.typname LIKE 'procrastinate\\_%' AND t.typtype IN ('e', 'c') LOOP
    EXECUTE format('DROP TYPE %I CASCADE', item.name);
  END LOOP;
END $$
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))


def downgrade() -> None:
    op.get_bind().exec_driver_sql(DROP.replace("%", "%%"))

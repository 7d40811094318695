"""Writes a migration from the difference between dynaboard/tables.py and a freshly migrated database."""

import sys
import tempfile
from pathlib import Path

from alembic import command

from dynaboard import embedded, migrate
from dynaboard.database import make_engine


def main(message: str) -> None:
    if not message:
        sys.exit('say what it does: make migration m="add the phase of a dataset"')
    number = len(list((migrate.migrations_folder() / "versions").glob("[0-9]*.py"))) + 1
    with tempfile.TemporaryDirectory() as folder, embedded.postgres(Path(folder)) as url:
        migrate.upgrade(url)
        engine = make_engine(url)
        with engine.begin() as connection:
            config = migrate.alembic_config()
            config.attributes["connection"] = connection
            command.revision(config, message, autogenerate=True, rev_id=f"{number:04d}")
        engine.dispose()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")

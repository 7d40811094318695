"""Adds to the file named the secrets of docker-compose.yml that it lacks, each made at random; keeps those it has.

python make_secrets.py .env
"""

import os
import secrets
import sys
from pathlib import Path

NAMES = (
    "POSTGRES_PASSWORD",
    "DYNABOARD_S3_SECRET_KEY",
    "DYNABOARD_INTERNAL_TOKEN",
    "DYNABOARD_ADMIN_KEY",
    "DYNABOARD_TELEMETRY_TOKEN",
    "GRAFANA_ADMIN_PASSWORD",
)


def main(file: Path) -> None:
    """Write the file, for its owner's eyes only."""
    there = file.read_text(encoding="utf-8") if file.exists() else ""
    known = {line.partition("=")[0].strip() for line in there.splitlines()}
    lines = [f"{name}={secrets.token_hex(24)}\n" for name in NAMES if name not in known]
    if there and not there.endswith("\n"):
        lines.insert(0, "\n")
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8") as opened:
        opened.writelines(lines)
    file.chmod(0o600)
    print(f"{file}: {len(lines)} secrets made" if lines else f"{file} has them all")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

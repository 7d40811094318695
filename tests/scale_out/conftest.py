"""More than one of each service, on one database and one store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dynaboard.bundle.signature import new_signing_key
from dynaboard.storage import Storage
from tests.scale_out.replicas import Installation, installation

ADMIN_KEY = "admin-key-of-the-tests"


@pytest.fixture
def replicas(platform: dict[str, Any], storage: Storage, tmp_path: Path) -> Iterator[Installation]:
    """An installation to start services of; the secrets are those of all."""
    shared = {
        "admin_key": ADMIN_KEY,
        "signing_key": new_signing_key(),
        "measurement_profile": "tiny",
        "perturbed_roles": "[]",
        "chunk_examples": 10,
        "heartbeat_timeout_s": 2.0,
        "drain_s": 1.0,
        "part_bytes": 5 * 1024**2,
        "requests_per_minute": 100_000,
    }
    with installation(platform | shared, tmp_path / "services.log") as made:
        yield made

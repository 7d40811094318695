"""The scoring service over a real database and object store."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from dynaboard.database import Database
from dynaboard.storage import Storage
from services.scoring.app import create_app
from services.scoring.jobs import score
from services.scoring.settings import ScoringSettings
from tests.scoring.world import World


@pytest.fixture
def world(database: Database, storage: Storage) -> World:
    """An empty platform to fill."""
    return World(database, storage)


@pytest.fixture
def client(platform: dict[str, Any], storage: Storage) -> Iterator[httpx.Client]:
    """Calls the service's routes in process; its worker does not run."""
    app = create_app(ScoringSettings(**platform))
    client = TestClient(app)
    yield client
    client.close()
    app.state.database.close()


@pytest.fixture
def run_score(database: Database, storage: Storage) -> Callable[[str], None]:
    """The body of the job, with few replicates."""

    def run(submission_id: str) -> None:
        score(database, storage, 50, submission_id)

    return run

"""The scoring service over a real database and object store."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from dynaboard.database import Database
from dynaboard.identity import Role
from dynaboard.storage import Storage
from dynaboard.tables import Dataset, Model
from services.scoring.app import create_app
from services.scoring.jobs import score
from services.scoring.settings import ScoringSettings
from tests.scoring.world import World, labelled


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


@pytest.fixture
def land(world: World, run_score: Callable[[str], None]) -> Callable[..., Model]:
    """A published model that answers so many of the five examples of the dataset `sst` right, with its cost."""
    references = ["positive", "negative", "neutral", "positive", "positive"]
    datasets: list[Dataset] = []

    def landed(name: str, right: int, **columns: Any) -> Model:
        if not datasets:
            datasets.append(world.dataset("sst", labelled(references), citation="Socher 2013 & al."))
        submission = world.submission(name, **columns)
        answers = [label if place < right else "wrong" for place, label in enumerate(references)]
        world.evaluation(submission, datasets[0], labelled(answers))
        world.cost(submission, datasets[0], 10.0 + right, 4.0 / right, flags=["quick"])
        run_score(submission.id)
        with world.database.begin() as db:
            return db.get_one(Model, submission.model_id)

    return landed


@pytest.fixture
def get(client: httpx.Client, as_caller: Callable[..., dict[str, str]]) -> Callable[..., httpx.Response]:
    """GET, by default the sentiment board, as somebody; nobody unless named."""

    def call(path: str = "/leaderboards/sentiment", etag: str = "", by: str = "", **params: Any) -> httpx.Response:
        role = Role.READER if by else Role.ANONYMOUS
        headers = as_caller(by, role) | ({"if-none-match": etag} if etag else {})
        return client.get(path, params=params or None, headers=headers)

    return call

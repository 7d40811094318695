"""The names of hidden datasets, wherever a task tells of its datasets: task owners see them, and nobody else."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dynaboard.database import Database
from dynaboard.identity import Role
from dynaboard.nlp_tasks import SHIPPED
from dynaboard.storage import Storage
from services.scoring.app import create_app
from services.scoring.settings import ScoringSettings
from tests.scoring.world import World, labelled

READS = ("/tasks", "/tasks/sentiment", "/tasks/sentiment/settings", "/leaderboards/sentiment")
DATASETS = [{"name": "to-come", "role": "hidden", "weight": 2}, {"name": "sst", "role": "scoring", "weight": 3}]


@pytest.fixture
def client(platform: dict[str, Any]) -> Iterator[TestClient]:
    with TestClient(create_app(ScoringSettings(**platform))) as client:
        yield client


def test_hidden_datasets_of_a_definition_are_named_to_task_owners_alone(
    database: Database, storage: Storage, client: TestClient, as_caller: Callable[..., dict[str, str]]
) -> None:
    world = World(database, storage)
    for name, role in (("sst", "scoring"), ("secret-set", "hidden")):
        world.dataset(name, labelled(["positive", name[:8]], text="words"), task="sentiment", role=role)
    definition = SHIPPED["sentiment"].model_dump(mode="json", exclude_defaults=True) | {"datasets": DATASETS}
    owner = as_caller("olga", Role.TASK_OWNER)
    settings = {"settings": {"dataset_weights": {"secret-set": 5}}}
    done = client.put("/tasks/sentiment", json=definition | settings, headers=owner)
    assert done.status_code == 200, done.text
    for read in READS:
        for caller in (as_caller("", Role.ANONYMOUS), as_caller("pia", Role.SUBMITTER)):
            told = client.get(read, headers=caller).text
            assert "to-come" not in told, read
            assert "secret-set" not in told, read
    told = client.get("/tasks/sentiment", headers=owner).json()["definition"]
    assert [each["name"] for each in told["datasets"]] == ["to-come", "sst"]
    assert told["settings"]["dataset_weights"].keys() == {"to-come", "sst", "secret-set"}

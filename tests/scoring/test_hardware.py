"""The machines that costs were measured on, as everybody may see them."""

from collections.abc import Callable
from typing import Any

import httpx

from dynaboard.tables import HardwareProfile, ReferenceRating
from tests.scoring.world import World, labelled

Get = Callable[..., httpx.Response]
CANARY = {"before": {"compute_s": 1.0, "memory_s": 1.0}, "after": None, "drift": -0.12, "limit": 0.1, "steady": False}


def machine(world: World, name: str) -> None:
    """A hardware profile."""
    world.add(HardwareProfile(fingerprint=name, description={"cpu": f"A {name} one", "cores": 2}))


def measured(world: World, model: str, on: str, **columns: Any) -> None:
    """A model of the sentiment task with its costs on this machine."""
    submission = world.submission(model, status="finished", **columns)
    dataset = world.dataset(f"of-{model}", labelled(["positive"]))
    world.cost(submission, dataset, 10.0, 1.0, hardware_profile=on, provenance={"canary": CANARY, "blocks": []})


def test_the_machine_with_the_most_models_is_first(world: World, get: Get) -> None:
    for name in ("old", "new", "idle"):
        machine(world, name)
    for model, on in (("a", "old"), ("b", "old"), ("c", "new")):
        measured(world, model, on)
    found = get("/hardware").json()
    assert [(each["fingerprint"], each["models"]) for each in found] == [("old", 2), ("new", 1), ("idle", 0)]
    assert found[0]["description"] == {"cpu": "A old one", "cores": 2}


def test_only_published_models_are_counted(world: World, get: Get) -> None:
    machine(world, "here")
    measured(world, "secret", "here", published=False)
    assert [each["models"] for each in get("/hardware").json()] == [0]
    assert get("/hardware", task="sentiment").json() == []


def test_a_task_has_the_machines_of_its_models(world: World, get: Get) -> None:
    machine(world, "here")
    measured(world, "mine", "here")
    assert [each["fingerprint"] for each in get("/hardware", task="sentiment").json()] == ["here"]
    assert get("/hardware", task="nli").json() == []
    assert get("/hardware", task="nothing").status_code == 404


def test_a_machine_is_shown_with_its_ratings_and_its_newest_canary(world: World, get: Get) -> None:
    machine(world, "here")
    world.add(ReferenceRating(hardware_profile="here", protocol_version="2-quick", value=9.0, low=8.0, high=10.0,
                              provenance={"blocks": []}))  # fmt: skip
    assert get("/hardware").json()[0]["canary"] is None
    measured(world, "mine", "here")
    (found,) = get("/hardware").json()
    (rating,) = found["ratings"]
    assert (rating["protocol_version"], rating["value"], rating["low"], rating["high"]) == ("2-quick", 9.0, 8.0, 10.0)
    assert (found["canary"]["drift"], found["canary"]["limit"], found["canary"]["steady"]) == (-0.12, 0.1, False)

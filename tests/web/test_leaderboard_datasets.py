"""A board of several datasets: their weights, and how results that are unlike the others are marked."""

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from dynaboard.database import Database
from dynaboard.tables import Board, Dataset, Measurement, Model, Score, Submission, Table
from tests.gateway.real import running
from tests.web.conftest import Web, axe
from tests.web.test_leaderboard import shown, told

TASK, SETS = "hate-speech", ("forums", "news", "songs")
NAMES = ("majority", "handed-in", "half-done", "quiet", "loud", "plain", "odd", "even")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def rows() -> Iterator[Table]:
    """Eight models on three datasets: the first a baseline, the second only predictions, the third without a result."""
    drawn = random.Random(6)
    for name in SETS:
        yield Dataset(task=TASK, name=name, version=1, digest=digest(name), role="scoring", licence="CC0-1.0",
                      citation="", examples=500, size=1, labels={}, tags={}, created_by="ada")  # fmt: skip
    for name in NAMES:
        model = digest(name)
        kind = "predictions" if name == "handed-in" else "model"
        yield Model(id=model[:32], task=TASK, owner="ada", name=name, published=True, baseline=name == "majority")
        yield Submission(id=model[32:], model_id=model[:32], task=TASK, owner="ada", version=1, kind=kind,
                         status="finished", digest=model)  # fmt: skip
        for dataset in SETS:
            yield from cells(drawn, name, dataset, kind)
    yield Board(task=TASK, submission_id="0", digest="0" * 64, document={})


def cells(drawn: random.Random, name: str, dataset: str, kind: str) -> Iterator[Table]:
    shared: dict[str, Any] = {
        "model_digest": digest(name), "dataset_digest": digest(dataset), "metric_version": "1", "provenance": {}
    }  # fmt: skip
    value = drawn.uniform(50, 95)
    yield Score(metric="accuracy", value=value, low=value - 2, high=value + 2, n=500, unit="%", **shared)
    flags = ["noisy"] if name == "loud" else []
    for metric, most, unit in (("throughput", 90, "examples/s"), ("memory", 3, "GiB")):
        value = drawn.uniform(0.5, most)
        if kind == "model" and (name, dataset, metric) != ("half-done", "songs", "throughput"):
            yield Measurement(metric=metric, value=value, low=value * 0.95, high=value * 1.05, n=10, unit=unit,
                              flags=flags, hardware_profile="a" * 64, protocol_version="1", **shared)  # fmt: skip


@pytest.fixture
def several(platform: dict[str, Any], database: Database, browser: Browser) -> Iterator[Web]:
    """The services before a database that has the board."""
    with database.begin() as db:
        db.add_all(list(rows()))
    with running(platform) as client:
        yield Web(str(client.base_url).removesuffix("/api/v1/"), "", browser)


def test_a_dataset_s_weight_ranks_as_the_api_does(several: Web) -> None:
    with several.page(f"/boards/{TASK}") as page:
        expect(page.locator("tbody tr[data-model]")).to_have_count(len(NAMES))
        assert shown(page) == told(several, TASK)
        page.get_by_text("Weights of the 3 datasets").click()
        slider = page.get_by_role("slider", name="news")
        slider.focus()
        for _ in range(4):
            page.keyboard.press("PageUp")
        expect(slider).to_have_value("5")
        assert shown(page) == told(several, TASK, "dataset_weight.news=5")
        page.wait_for_url("**dataset_weight.news=5")
        page.reload()
        expect(page.get_by_role("slider", name="news")).to_have_value("5")
        assert shown(page) == told(several, TASK, "dataset_weight.news=5")


def test_results_unlike_the_others_are_marked(several: Web) -> None:
    with several.page(f"/boards/{TASK}") as page:
        for model, mark in (
            ("majority", "baseline"),
            ("handed-in", "unverified"),
            ("half-done", "incomplete"),
            ("loud", "noisy"),
        ):
            expect(page.locator(f"tbody tr[data-model={model}]")).to_contain_text(mark)
        page.get_by_role("button", name="Details of half-done").click()
        expect(page.get_by_text("it has no throughput on songs")).to_be_visible()


def test_hate_speech_has_a_warning_of_its_own(several: Web) -> None:
    with several.page(f"/boards/{TASK}") as page:
        expect(page.get_by_text("without human review")).to_be_visible()


def test_a_metric_that_is_left_out_says_why(several: Web) -> None:
    with several.page(f"/boards/{TASK}") as page:
        expect(page.get_by_text("Fairness is not counted.")).to_be_visible()
        expect(page.get_by_role("slider", name="Fairness")).to_have_accessible_description(
            "Not counted. No model has a value yet."
        )


def test_z_scores_are_ranked_by_the_server(several: Web) -> None:
    with several.page(f"/boards/{TASK}?aggregation=zscore") as page:
        expect(page.get_by_role("columnheader", name="z-score")).to_be_visible()
        assert shown(page) == told(several, TASK, "aggregation=zscore")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(several: Web, scheme: str) -> None:
    with several.page(f"/boards/{TASK}?dataset_weight.news=5", scheme=scheme) as page:
        page.get_by_role("button", name="Details of half-done").click()
        expect(page.get_by_text("it has no throughput on songs")).to_be_visible()
        assert axe(page) == []

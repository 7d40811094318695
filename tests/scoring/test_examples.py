"""A model's answers example by example; never a label of a set that is closed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from dynaboard.identity import Role
from dynaboard.tables import Submission
from tests.scoring.world import World

REFERENCES = ["positive", "negative", "neutral", "positive"]
TAGS = [["even"], [], ["even"], []]
EXAMPLES = [
    {"id": f"secret-{label}-{number}", "statement": f"text {number}", "label": label, "tags": TAGS[number]}
    for number, label in enumerate(REFERENCES)
]
Ask = Callable[..., httpx.Response]


@pytest.fixture
def two(world: World) -> tuple[Submission, Submission]:
    """Two published submissions on an open set, on one that ranks, on a hidden one and on one without labels yet."""
    month = datetime.now(UTC) + timedelta(days=30)
    sets = [
        world.dataset("open", EXAMPLES, role="standard"),
        world.dataset("ranks", [*EXAMPLES, EXAMPLES[0] | {"id": "more"}]),
        world.dataset("hidden", EXAMPLES[:3], role="hidden"),
        world.dataset("dated", EXAMPLES[:2], role="scoring", released_from=month),
    ]
    first, second = (world.submission(name, status="finished") for name in ("first", "second"))
    for dataset in sets:
        ids = [example["id"] for example in EXAMPLES[: dataset.examples]] + ["more"] * (dataset.examples == 5)
        for submission, wrong in ((first, 1), (second, 2)):
            answers = [{"id": name, "label": "neutral" if place < wrong else (REFERENCES * 2)[place]}
                       for place, name in enumerate(ids)]  # fmt: skip
            world.evaluation(submission, dataset, answers)
    return first, second


@pytest.fixture
def ask(client: httpx.Client, as_caller: Callable[..., dict[str, str]], two: tuple[Submission, Submission]) -> Ask:
    """GET the examples of the first submission."""

    def call(role: Role = Role.READER, **params: Any) -> httpx.Response:
        return client.get(f"/submissions/{two[0].id}/examples", params=params, headers=as_caller("rita", role))

    return call


def test_answers_are_filtered_by_right_and_wrong_where_labels_are_open(ask: Ask) -> None:
    wrong = ask(dataset="open", filter="wrong").json()
    assert (wrong["examples"], wrong["matching"]) == (4, 1)
    assert wrong["shown"] == [
        {"number": 0, "inputs": {"statement": "text 0"}, "answer": "neutral", "other": None, "label": ["positive"],
         "tags": ["even"]},
    ]  # fmt: skip
    assert [each["number"] for each in ask(dataset="open", filter="right").json()["shown"]] == [1, 2, 3]
    assert [each["number"] for each in ask(dataset="open", tag="even").json()["shown"]] == [0, 2]


def test_a_page_has_a_beginning_and_a_length(ask: Ask) -> None:
    assert [each["number"] for each in ask(dataset="open", offset=1, limit=2).json()["shown"]] == [1, 2]


def test_two_models_are_held_side_by_side(ask: Ask, two: tuple[Submission, Submission]) -> None:
    found = ask(dataset="ranks", filter="differs", other=two[1].id).json()
    assert [(each["number"], each["answer"], each["other"]) for each in found["shown"]] == [(1, "negative", "neutral")]


def test_of_a_set_that_ranks_neither_labels_nor_ids_nor_tags_are_told(ask: Ask) -> None:
    answer = ask(dataset="ranks")
    assert "secret" not in answer.text
    assert answer.json()["labels_shown"] is False
    assert all(each["label"] is None and each["tags"] is None for each in answer.json()["shown"])
    for told in ({"filter": "wrong"}, {"filter": "right"}, {"tag": "even"}):
        assert ask(dataset="ranks", **told).status_code == 403
    assert ask(Role.TASK_OWNER, dataset="ranks", filter="wrong").json()["matching"] == 1


def test_of_others_models_not_all_answers_on_a_set_that_ranks_are_told(
    ask: Ask, client: httpx.Client, as_caller: Callable[..., dict[str, str]], two: tuple[Submission, Submission]
) -> None:
    assert ask(dataset="ranks", offset=50, limit=50).status_code == 200
    refused = ask(dataset="ranks", offset=51, limit=50)
    assert (refused.status_code, "first 100" in refused.json()["detail"]) == (403, True)
    assert ask(dataset="open", offset=1000).status_code == 200
    assert ask(Role.TASK_OWNER, dataset="ranks", offset=1000).status_code == 200
    params = {"dataset": "ranks", "offset": "1000"}
    own = client.get(f"/submissions/{two[0].id}/examples", params=params, headers=as_caller("ada", Role.SUBMITTER))
    assert own.status_code == 200


def test_hidden_sets_and_those_whose_labels_wait_are_for_task_owners(ask: Ask) -> None:
    assert ask(dataset="hidden").status_code == 404
    assert ask(dataset="dated").status_code == 403
    assert ask(Role.TASK_OWNER, dataset="hidden").json()["examples"] == 3
    assert ask(Role.TASK_OWNER, dataset="dated").json()["labels_shown"] is True


def test_nobody_reads_examples_without_signing_in(ask: Ask) -> None:
    assert ask(Role.ANONYMOUS, dataset="open").status_code in {401, 403}


def test_differs_needs_another(ask: Ask) -> None:
    assert ask(dataset="open", filter="differs").status_code == 422

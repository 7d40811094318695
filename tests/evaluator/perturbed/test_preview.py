"""A look at the variants of a dataset: both texts, the edits marked, never a label."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dynaboard.edits import Edit, apply_edits
from dynaboard.identity import Role
from services.evaluator.app import create_app
from services.evaluator.perturbed.preview import pieces
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.world import World, statements

Headers = Callable[..., dict[str, str]]


@pytest.fixture
def client(settings: EvaluatorSettings) -> Iterator[TestClient]:
    """The routes; no worker runs."""
    app = create_app(settings)
    yield TestClient(app)
    app.state.database.close()


def test_pieces_give_both_texts_back() -> None:
    text, edits = "James sees her.", (Edit(0, 5, "Jamal"), Edit(11, 14, "him"), Edit(15, 15, "!"))
    cut = pieces(text, edits)
    assert "".join(piece.original for piece in cut) == text
    assert "".join(piece.variant for piece in cut) == apply_edits(text, edits) == "Jamal sees him.!"
    assert [(piece.original, piece.variant) for piece in cut if piece.edited] == [
        ("James", "Jamal"), ("her", "him"), ("", "!"),
    ]  # fmt: skip


def test_variants_stand_beside_their_original_without_label_id_or_tags(
    client: TestClient, world: World, as_caller: Headers
) -> None:
    dataset = world.add_dataset("reviews", statements(5))
    path = f"/datasets/{dataset.id}/perturbations/robustness"
    shown: list[dict[str, Any]] = client.get(path, params={"limit": 2}, headers=as_caller("ada", Role.READER)).json()
    assert [example["original"] for example in shown] == [
        {"statement": "item positive 0"}, {"statement": "item negative 1"},
    ]  # fmt: skip
    kinds = {variant["kind"]: variant["fields"]["statement"] for variant in shown[0]["variants"]}
    assert "".join(piece["variant"] for piece in kinds["WordCase"]) == "ITEM POSITIVE 0"
    assert "label" not in str(shown)


def test_a_hidden_datasets_variants_are_its_owners_alone_and_of_no_more_than_its_sample(
    client: TestClient, world: World, as_caller: Headers
) -> None:
    plain = [{"id": f"n{number}", "statement": "1 2", "label": "neutral"} for number in range(20)]
    dataset = world.add_dataset("secret", [*plain, *statements(5)], role="hidden")
    path = f"/datasets/{dataset.id}/perturbations/robustness"
    assert client.get(path, headers=as_caller("ada", Role.SUBMITTER)).status_code == 404
    shown = client.get(path, headers=as_caller("root", Role.TASK_OWNER)).json()
    assert not any("item" in example["original"]["statement"] for example in shown)


def test_an_unknown_suite_is_refused(client: TestClient, world: World, as_caller: Headers) -> None:
    dataset = world.add_dataset("reviews", statements(1))
    answer = client.get(f"/datasets/{dataset.id}/perturbations/speed", headers=as_caller("ada", Role.READER))
    assert answer.status_code == 422


def perturb(client: TestClient, suite: str, headers: dict[str, str], **wanted: object) -> Any:
    """POST a text."""
    return client.post(f"/perturbations/{suite}", headers=headers, json={"task": "sentiment", **wanted})


def test_anybody_may_have_a_text_perturbed_and_gets_the_same_again(client: TestClient, as_caller: Headers) -> None:
    text = {"statement": "Grandma said that the film was a delight."}
    nobody = as_caller("", Role.ANONYMOUS)

    typos = perturb(client, "robustness", nobody, example=text).json()
    swaps = perturb(client, "fairness", nobody, example=text).json()

    assert typos["original"] == text
    assert {"Keyboard", "WordCase"} <= {variant["kind"] for variant in typos["variants"]}
    (swap,) = swaps["variants"]
    edited = [(piece["original"], piece["variant"]) for piece in swap["fields"]["statement"] if piece["edited"]]
    assert (swap["group"], edited) == ("female→male", [("Grandma", "Grandpa")])
    assert perturb(client, "robustness", nobody, example=text).json() == typos
    assert perturb(client, "robustness", nobody, example=text, draw=1).json() != typos


def test_a_text_in_which_nothing_can_be_swapped_has_no_variants(client: TestClient, as_caller: Headers) -> None:
    answer = perturb(client, "fairness", as_caller("ada"), example={"statement": "It rained."}).json()
    assert answer == {"original": {"statement": "It rained."}, "variants": []}


@pytest.mark.parametrize(
    "example", [{"text": "Well."}, {"statement": " "}, {"statement": "x" * 20_001}, {"statement": "a", "id": "b"}]
)
def test_a_text_is_checked_as_a_question_is(client: TestClient, as_caller: Headers, example: dict[str, str]) -> None:
    answer = perturb(client, "robustness", as_caller("ada"), example=example)
    assert (answer.status_code, answer.json()["error"]) == (422, "Invalid")

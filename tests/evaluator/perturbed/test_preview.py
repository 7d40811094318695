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

"""Datasets: sought, looked into, added; and never a label that is hidden."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from dynaboard.schemas import DatasetView
from tests.web.conftest import Web, axe
from tests.web.users import new_user

SUITES = {"robustness": "Misspellings", "fairness": "Gendered words"}
QUESTIONS = [
    {
        "id": f"q{number}",
        "context": f"Ada lives at number {number}.",
        "question": "Where?",
        "answers": [f"number {number}"],
    }
    for number in range(3)
]


def named(web: Web, name: str) -> DatasetView:
    with web.client() as client:
        return next(dataset for dataset in client.datasets.all() if dataset.name == name)


@pytest.fixture
def hidden(web: Web, tmp_path: Path) -> Iterator[DatasetView]:
    """A hidden dataset of a task without models."""
    file = tmp_path / "hidden.jsonl"
    file.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS))
    words = {"task": "qa", "role": "hidden", "licence": "MIT", "citation": "Ada", "format": "jsonl"}
    with web.client() as client:
        yield client.datasets.add(file, words | {"name": f"hidden-{uuid4().hex[:6]}"})


def test_datasets_are_sought_by_task_role_and_name(web: Web) -> None:
    with web.page("/datasets") as page:
        expect(page.get_by_role("row", name="nli-stories")).to_be_visible()
        page.get_by_label("Task").select_option("sentiment")
        expect(page.get_by_role("row", name="nli-stories")).to_have_count(0)
        page.get_by_label("Role").select_option("scoring")
        expect(page.get_by_role("row", name="sentiment-conversations")).to_have_count(0)
        expect(page.get_by_role("row", name="sentiment-reviews")).to_be_visible()
        assert "task=sentiment" in page.url
        page.get_by_role("searchbox", name="Name").fill("zzz")
        expect(page.get_by_role("heading", name="None of these")).to_be_visible()


def test_a_dataset_says_whom_to_cite_and_who_does_best_on_it(web: Web) -> None:
    dataset = named(web, "sentiment-reviews")
    with web.client() as client:
        rows = client.leaderboards.get("sentiment").rows
    scores = {row.name: cell.value for row in rows for part in row.datasets if part.name == dataset.name
              for name, cell in part.cells.items() if name == "performance"}  # fmt: skip
    with web.page(f"/datasets/{dataset.id}") as page:
        expect(page.get_by_text(dataset.licence)).to_be_visible()
        expect(page.get_by_text(dataset.digest)).to_be_visible()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy the citation").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == dataset.citation
        best = page.get_by_role("table", name="Models by performance on this dataset").get_by_role("rowheader")
        expect(best.first).to_be_visible()
        assert scores[best.first.inner_text()] == max(scores.values())


def sample(page: Page) -> list[str]:
    table = page.get_by_role("table", name="Its first examples")
    table.wait_for()
    return table.get_by_role("columnheader").all_inner_texts()


def test_labels_of_a_dataset_that_ranks_are_not_in_the_page(web: Web) -> None:
    dataset = named(web, "sentiment-reviews")
    with web.page(f"/datasets/{dataset.id}", key=new_user(web, "submitter")[1]) as page:
        assert sample(page) == ["statement"]
        expect(page.get_by_text("its labels are not shown")).to_be_visible()


def test_labels_that_are_released_are_shown(web: Web) -> None:
    dataset = named(web, "sentiment-conversations")
    with web.page(f"/datasets/{dataset.id}", key=new_user(web, "reader")[1]) as page:
        assert "label" in sample(page)


def test_a_hidden_dataset_is_its_owners_alone_and_shows_no_answer(web: Web, hidden: DatasetView) -> None:
    answers = [answer for question in QUESTIONS for answer in question["answers"]]
    with web.page(f"/datasets/{hidden.id}", key=new_user(web, "submitter")[1]) as page:
        expect(page.get_by_role("alert")).to_be_visible()
        page.goto(f"{web.url}/datasets?task=qa")
        page.get_by_role("row", name="qa-places").wait_for()
        assert hidden.name not in page.content()
    with web.page(f"/datasets/{hidden.id}", key=web.admin_key) as page:
        assert sample(page) == ["context", "question"]
        assert not any(f">{answer}<" in page.content() for answer in answers)


def test_strangers_are_asked_to_sign_in_for_a_look_inside(web: Web) -> None:
    with web.page(f"/datasets/{named(web, 'sentiment-reviews').id}") as page:
        expect(page.get_by_text("to see some of its examples")).to_be_visible()


@pytest.mark.parametrize("suite", SUITES)
def test_every_edit_of_a_perturbed_copy_is_marked(web: Web, suite: str) -> None:
    dataset = named(web, "sentiment-reviews")
    with web.client() as client:
        [example] = client.datasets.perturbations(dataset.id, suite, 1)
    edits = [piece.variant for variant in example.variants for pieces in variant.fields.values()
             for piece in pieces if piece.edited and piece.variant]  # fmt: skip
    with web.page(f"/datasets/{dataset.id}?suite={suite}", key=new_user(web, "reader")[1]) as page:
        first = page.get_by_role("listitem").filter(has_text=example.original["statement"]).first
        expect(first.get_by_text(SUITES[suite])).to_be_visible()
        assert first.get_by_role("insertion").all_inner_texts() == edits


def test_a_task_owner_adds_a_version_and_changes_its_role(web: Web, tmp_path: Path) -> None:
    name = f"added-{uuid4().hex[:6]}"
    file = tmp_path / "data.jsonl"
    file.write_text(json.dumps(QUESTIONS[0] | {"uid": "1"}) + "\n")
    with web.page("/datasets?add=new", key=new_user(web, "task-owner")[1]) as page:
        form = page.get_by_role("form", name="New dataset")
        form.get_by_label("Task").select_option("qa")
        form.get_by_label("Name").fill(name)
        form.get_by_label("Licence").fill("MIT")
        form.get_by_label("Citation").fill("Ada")
        form.get_by_label("File").set_input_files(file)
        form.get_by_label("Mapping").fill('{"id": "key"}')
        form.get_by_role("button", name="Add").click()
        expect(page.get_by_role("alert")).to_contain_text('there is no column "key"')
        form.get_by_label("Mapping").fill('{"id": "uid"}')
        form.get_by_role("button", name="Add").click()
        form.get_by_role("link", name=f"{name} v1").click()
        page.get_by_role("radio", name="standard").check()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("button", name="Saved")).to_be_visible()
    assert named(web, name).role == "standard"


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page("/datasets?add=new", size=size, scheme=scheme, key=web.admin_key) as page:
        page.get_by_role("form", name="New dataset").wait_for()
        page.get_by_role("link", name="sentiment-reviews").wait_for()
        assert axe(page) == []
        page.get_by_role("link", name="sentiment-reviews").click()
        page.get_by_text("Misspellings").first.wait_for()
        page.get_by_role("heading", name="Best on this dataset").wait_for()
        assert axe(page) == []

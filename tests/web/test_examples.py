"""A model's answers example by example, filtered and beside another model's."""

import pytest
from playwright.sync_api import expect

from dynaboard.schemas import ModelView
from tests.web.conftest import Web, axe
from tests.web.users import new_user


@pytest.fixture
def models(web: Web) -> dict[str, ModelView]:
    """The models of the demo, by name."""
    with web.client() as client:
        return {model.name: model for model in client.models.all()}


@pytest.mark.parametrize(("size", "scheme"), [("wide", "light"), ("narrow", "dark")])
def test_wrong_answers_are_sought_and_held_beside_another_models(
    web: Web, models: dict[str, ModelView], size: str, scheme: str
) -> None:
    model = models["tfidf-sentiment"]
    with web.page(f"/models/{model.id}", key=web.admin_key, size=size, scheme=scheme) as page:
        page.get_by_role("link", name="Its answers, example by example").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Answers on")
        page.get_by_label("Examples", exact=True).select_option("wrong")
        expect(page.get_by_text("What is right").first).to_be_visible()
        page.get_by_label("Beside").select_option(label="majority-sentiment")
        expect(page.get_by_role("main").locator("dt", has_text="majority-sentiment").first).to_be_visible()
        page.get_by_label("Examples", exact=True).select_option("differs")
        expect(page.get_by_role("heading", name="Example").first).to_be_visible()
        assert "filter=differs" in page.url
        assert axe(page) == []


def test_whoever_is_not_signed_in_is_asked_to(web: Web, models: dict[str, ModelView]) -> None:
    submission = models["tfidf-sentiment"].versions[0].id
    with web.page(f"/submissions/{submission}/examples?dataset=any") as page:
        expect(page.get_by_label("API key")).to_be_visible()


def test_what_a_phase_closes_is_said_in_words(web: Web, models: dict[str, ModelView]) -> None:
    submission = models["tfidf-sentiment"].versions[0].id
    with web.client() as client:
        ranks = next(score.dataset for score in client.submissions.scores(submission) if score.role == "scoring")
    path = f"/submissions/{submission}/examples?dataset={ranks}&filter=wrong"
    with web.page(path, key=new_user(web, "submitter")[1]) as page:
        expect(page.get_by_text("The labels of this set are not shown")).to_be_visible()

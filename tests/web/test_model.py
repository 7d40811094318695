"""The page of a model: its numbers are the API's; its owner sees the log and decides who sees it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from dynaboard.schemas import KeyCreate, ModelChange, ModelView, UserCreate
from tests.web.conftest import Web, axe


@pytest.fixture
def model(web: Web) -> ModelView:
    """A model of the demo."""
    with web.client() as client:
        return next(model for model in client.models.all() if model.name == "tfidf-sentiment")


@pytest.fixture
def published(web: Web) -> Iterator[ModelView]:
    """Another one, which is published again afterwards."""
    with web.client() as client:
        model = next(model for model in client.models.all() if model.name == "majority-nli")
        yield model
        if not client.models.get(model.id).published:
            client.models.change(model.id, ModelChange(published=True))


def stranger(web: Web) -> str:
    """The API key of somebody who has no models."""
    with web.client() as client:
        known = {user.name for user in client.users.all()}
        if "stranger" in known:
            return client.users.add_key(KeyCreate(label="browser", user="stranger")).key
        return client.users.add(UserCreate(name="stranger", role="submitter")).key


def test_every_dataset_is_shown_those_that_rank_apart(web: Web, model: ModelView) -> None:
    with web.client() as client:
        scores = client.submissions.scores(model.versions[0].id)
    whole = {score.dataset: score for score in scores if score.metric == "accuracy" and not score.tag}
    with web.page(f"/models/{model.id}") as page:
        for title, role in (("On the leaderboard", "scoring"), ("Beside the leaderboard", "standard")):
            table = page.get_by_role("region", name=title)
            for score in (score for score in whole.values() if score.role == role):
                row = table.get_by_role("row").filter(has_text=score.dataset)
                expect(row).to_contain_text(f"{score.value:.1f}")
                expect(row).to_contain_text(f"{score.low:.1f} – {score.high:.1f}")


def test_transformations_groups_and_tags_are_told_with_their_numbers(web: Web, model: ModelView) -> None:
    with web.client() as client:
        scores = client.submissions.scores(model.versions[0].id)
    kept = next(score for score in scores if score.metric == "robustness" and score.tag == "kind:Keyboard")
    with web.page(f"/models/{model.id}?dataset={kept.dataset}") as page:
        slips = page.get_by_role("region", name="Robustness by transformation").get_by_role(
            "row", name="Keyboard slips"
        )
        expect(slips).to_contain_text(f"{kept.value:.1f}")
        expect(page.get_by_role("region", name="Fairness by group")).to_contain_text("men to women")
        expect(page.get_by_role("region", name="Accuracy by tag")).to_contain_text("sarcasm")


def test_costs_are_plotted_and_traced_to_machine_and_digests(web: Web, model: ModelView) -> None:
    with web.page(f"/models/{model.id}") as page:
        plot = page.get_by_role("img", name="observations of throughput")
        expect(plot.locator("circle").first).to_be_visible()
        expect(page.get_by_role("img", name="Memory over the run")).to_be_visible()
        latency = page.get_by_role("img", name="Latency of single requests over the run")
        expect(latency.locator("path").first).to_be_attached()
        expect(page.get_by_text(model.versions[0].digest or "no digest")).to_be_visible()
        expect(page.get_by_text("for the model", exact=False).first).to_contain_text("GiB")


def test_the_dataset_shown_in_detail_stands_in_the_address(web: Web, model: ModelView) -> None:
    with web.page(f"/models/{model.id}") as page:
        page.get_by_role("link", name="sentiment-conversations").click()
        page.wait_for_url("**dataset=sentiment-conversations")
        expect(page.get_by_role("region", name="Metrics on sentiment-conversations")).to_be_visible()


def test_the_log_is_its_owners(web: Web, model: ModelView) -> None:
    with web.page(f"/models/{model.id}", key=web.admin_key) as page:
        expect(page.get_by_label("Log of the last run")).to_contain_text("loading")
        with page.expect_download() as download:
            page.get_by_role("button", name="Download", exact=True).click()
        assert download.value.suggested_filename == "tfidf-sentiment-v1.log"


@pytest.mark.parametrize("signed_in", [False, True])
def test_nobody_else_is_shown_the_log_or_asked_to_withdraw(web: Web, model: ModelView, signed_in: bool) -> None:
    asked: list[str] = []
    with web.page("/", key=stranger(web) if signed_in else "") as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{web.url}/models/{model.id}")
        expect(page.get_by_role("heading", name="Where these numbers come from")).to_be_visible()
        expect(page.get_by_role("heading", name="Log")).to_have_count(0)
        expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    assert asked
    assert not [url for url in asked if url.endswith("/log")]


def test_its_owner_withdraws_a_model_and_publishes_it_again(web: Web, published: ModelView) -> None:
    with web.page(f"/models/{published.id}", key=web.admin_key) as page:
        decide(page, "Withdraw")
        expect(page.get_by_role("button", name="Publish")).to_be_visible()
        with web.page(f"/models/{published.id}") as others:
            expect(others.get_by_role("heading", name="Nothing is here")).to_be_visible()
        decide(page, "Publish")
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    with web.client("") as nobody:
        assert nobody.models.get(published.id).published


def test_a_question_before_a_change_can_be_left(web: Web, published: ModelView) -> None:
    with web.page(f"/models/{published.id}", key=web.admin_key) as page:
        page.get_by_role("button", name="Withdraw").click()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible()


def decide(page: Page, verb: str) -> None:
    """Press the button, and again in the question that it leads to."""
    page.get_by_role("button", name=verb).click()
    page.get_by_role("dialog").get_by_role("button", name=verb).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, model: ModelView, size: str, scheme: str) -> None:
    with web.page(f"/models/{model.id}", size=size, scheme=scheme, key=web.admin_key) as page:
        expect(page.get_by_role("img", name="observations of throughput").locator("circle").first).to_be_visible()
        expect(page.get_by_label("Log of the last run")).to_be_visible()
        assert axe(page) == []


def test_nothing_is_wider_than_a_phone(web: Web, model: ModelView) -> None:
    with web.page(f"/models/{model.id}", size="narrow") as page:
        expect(page.get_by_role("img", name="observations of throughput")).to_be_visible()
        widest, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widest <= room
        assert page.evaluate("document.body.scrollWidth <= document.body.clientWidth")

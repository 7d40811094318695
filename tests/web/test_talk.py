"""Talking to models: the page's answers are the API's, and every perturbation is one click away."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from dynaboard.errors import Unavailable
from tests.web.conftest import Web, axe

STATEMENT = "My grandmother said that the film is a delight from the first minute to the last."
# A model is started for the first question, which may wait for another one's measurement to end.
PATIENCE_MS = 120_000


def model_id(web: Web, name: str) -> str:
    """Of a model of the demo."""
    with web.client() as client:
        return next(model.id for model in client.models.all() if model.name == name)


def address(web: Web, *names: str, task: str = "sentiment") -> str:
    """The page with these models."""
    return f"/talk/{task}?" + "&".join(f"model={model_id(web, name)}" for name in names)


def answer_of(page: Page, name: str) -> Locator:
    """A model's answer, given."""
    answer = page.get_by_role("article", name=f"Answer of {name}")
    expect(answer.get_by_role("heading")).to_be_visible()
    expect(answer).to_have_attribute("aria-busy", "false", timeout=PATIENCE_MS)
    return answer


def test_the_answer_and_its_probabilities_are_those_of_the_api(web: Web) -> None:
    with web.page(address(web, "tfidf-sentiment")) as page:
        page.get_by_label("Statement").fill(STATEMENT)
        page.get_by_role("button", name="Ask").click()
        answer = answer_of(page, "tfidf-sentiment")

        with web.client() as client:
            submission = client.models.get(model_id(web, "tfidf-sentiment")).versions[0].id
            (told,) = client.submissions.predict(submission, [{"statement": STATEMENT}]).answers
        expect(answer.locator("p").first).to_have_text(told["label"])
        for label, probability in told["prob"].items():
            row = answer.get_by_role("row", name=re.compile(rf"^{label}\b"))
            expect(row).to_contain_text(f"{100 * probability:.1f} %")


def test_enter_asks_both_models_and_the_address_names_them(web: Web) -> None:
    with web.page(address(web, "tfidf-sentiment")) as page:
        page.get_by_label("Beside it").select_option(label="majority-sentiment")
        page.wait_for_url("**model=*&model=*")
        page.get_by_label("Statement").fill(STATEMENT)
        page.get_by_label("Statement").press("Enter")
        answer_of(page, "tfidf-sentiment")
        expect(answer_of(page, "majority-sentiment").locator("p").first).to_have_text(
            re.compile("positive|negative|neutral")
        )


def test_control_and_enter_ask_from_a_field_for_long_texts(web: Web) -> None:
    with web.page(address(web, "tfidf-nli", task="nli")) as page:
        page.get_by_role("button", name="Try an example").click()
        context = page.get_by_label("Context")
        typed = context.input_value()
        context.press("End")
        context.press("Enter")
        expect(context).not_to_have_value(typed)
        context.press("Control+Enter")
        answer_of(page, "tfidf-nli")


def test_a_perturbation_shows_its_edits_and_whether_the_answer_stays(web: Web) -> None:
    with web.page(address(web, "tfidf-sentiment")) as page:
        page.get_by_label("Statement").fill(STATEMENT)
        page.get_by_role("button", name="Ask").click()
        answer_of(page, "tfidf-sentiment")

        page.get_by_role("button", name="Gendered words: women to men").click()
        swapped = page.get_by_role("article", name="Gendered words: women to men")
        expect(swapped.locator("del")).to_have_text("grandmother")
        expect(swapped.locator("ins")).to_have_text("grandfather")
        page.get_by_role("button", name="Keyboard slips").click()
        slips = page.get_by_role("article", name="Keyboard slips")
        expect(slips.locator("ins").first).to_be_visible()
        expect(slips.get_by_text(re.compile("^(stays|was .+)$"))).to_be_visible(timeout=PATIENCE_MS)


def test_what_was_asked_before_can_be_asked_again(web: Web) -> None:
    with web.page(address(web, "tfidf-sentiment")) as page:
        for text in (STATEMENT, "It rained."):
            page.get_by_label("Statement").fill(text)
            page.get_by_label("Statement").press("Enter")
            answer_of(page, "tfidf-sentiment")
        page.get_by_role("listitem").filter(has_text=STATEMENT).get_by_role("button", name="Ask again").click()
        expect(page.get_by_label("Statement")).to_have_value(STATEMENT)


def test_whoever_opens_the_address_finds_the_text_that_was_asked_about(web: Web) -> None:
    with web.page(address(web, "tfidf-sentiment")) as page:
        page.get_by_label("Statement").fill(STATEMENT)
        page.get_by_role("button", name="Ask").click()
        answer_of(page, "tfidf-sentiment")
        page.get_by_label("Beside it").select_option(label="majority-sentiment")
        answer_of(page, "majority-sentiment")
        page.wait_for_url("**model=*&model=*#statement=*")
        sent = page.url.removeprefix(web.url)
    with web.page(sent) as page:
        expect(page.get_by_label("Statement")).to_have_value(STATEMENT)
        expect(page.get_by_text("The answer will stand here.")).to_be_visible()


def test_while_a_model_is_measured_the_page_says_so_and_asks_again(web: Web) -> None:
    with web.page(address(web, "tfidf-sentiment")) as page:
        busy = {"error": Unavailable.__name__, "detail": "A model's speed is being measured; ask again in a minute."}
        page.route("**/predict", lambda route: route.fulfill(status=503, json=busy), times=1)
        page.get_by_label("Statement").fill(STATEMENT)
        page.get_by_role("button", name="Ask").click()
        refused = page.get_by_role("article", name="Answer of tfidf-sentiment").get_by_role("alert")
        expect(refused).to_contain_text("ask again in a minute")
        refused.get_by_role("button", name="Ask again").click()
        expect(answer_of(page, "tfidf-sentiment").locator("p").first).to_have_text(
            re.compile("positive|negative|neutral")
        )


def test_hate_speech_and_research_models_are_warned_of(web: Web) -> None:
    with web.page("/talk/hate-speech") as page:
        expect(page.get_by_text("These are research models")).to_be_visible()
        expect(page.get_by_text("without human review")).to_be_visible()


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page(address(web, "tfidf-sentiment", "fasttext-sentiment"), size=size, scheme=scheme) as page:
        page.get_by_label("Statement").fill(STATEMENT)
        page.get_by_role("button", name="Ask").click()
        answer_of(page, "fasttext-sentiment")
        page.get_by_role("button", name="All of them").first.click()
        expect(page.get_by_text(re.compile("^(stays|was .+)$")).first).to_be_visible(timeout=PATIENCE_MS)
        assert axe(page) == []

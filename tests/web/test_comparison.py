"""Two models beside one another: differences as the API has them, and examples of which no closed label is shown."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from dynaboard.leaderboard_schemas import LeaderboardView
from tests.web.conftest import Web, axe


@dataclass(frozen=True)
class Two:
    """Two models of a board, by id, and the board."""

    a: str
    b: str
    board: LeaderboardView

    @property
    def address(self) -> str:
        """Their page."""
        return f"/boards/nli/compare?a={self.a}&b={self.b}"


@pytest.fixture
def two(web: Web) -> Two:
    """TF-IDF and fastText."""
    with web.client() as client:
        board = client.leaderboards.get("nli")
    ids = {row.name: row.model_id for row in board.rows}
    return Two(ids["tfidf-nli"], ids["fasttext-nli"], board)


def value(two: Two, model: str, metric: str) -> float:
    """A cell of the board."""
    cell = next(row for row in two.board.rows if row.model_id == model).metrics[metric]
    assert cell is not None
    return cell.value


def signed(number: float) -> str:
    """As the page writes it."""
    return f"{number:+.1f}".replace("-", "−") if number else "0.0"


@pytest.mark.parametrize("metric", ["performance", "fairness", "robustness"])
def test_a_difference_is_that_of_the_board(web: Web, two: Two, metric: str) -> None:
    difference = value(two, two.a, metric) - value(two, two.b, metric)
    with web.page(two.address) as page:
        row = (
            page.get_by_role("region", name="Differences of the two").get_by_role("row").filter(has_text=metric.title())
        )
        expect(row).to_contain_text(signed(difference))


def test_the_words_tell_who_is_better_and_how_sure_that_is(web: Web, two: Two) -> None:
    difference = value(two, two.a, "performance") - value(two, two.b, "performance")
    more = "more" if difference > 0 else "fewer"
    with web.page(two.address) as page:
        words = page.get_by_role("listitem").filter(has_text="examples correctly")
        expect(words).to_contain_text(f"tfidf-nli answers {abs(difference):.1f} points {more} examples correctly")
        expect(words).to_have_text(re.compile(r": the data (tells|does not tell) them apart\.$"))


def test_the_two_can_be_swapped_and_the_address_says_so(web: Web, two: Two) -> None:
    with web.page(two.address) as page:
        page.get_by_role("button", name="Swap the two").click()
        page.wait_for_url(f"**a={two.b}&b={two.a}")
        expect(page.get_by_label("First model")).to_have_value(two.b)


def test_examples_are_for_whoever_signs_in(web: Web, two: Two) -> None:
    with web.page(two.address) as page:
        expect(page.get_by_text("Examples are shown to whoever signs in.")).to_be_visible()
        expect(page.get_by_text("What is right")).to_have_count(0)


def test_labels_are_shown_where_they_are_released_only(web: Web, two: Two) -> None:
    with web.page(f"{two.address}&dataset=nli-everyday", key=web.admin_key) as page:
        expect(page.get_by_text("Labels, tags and ids of sets that rank are not shown")).to_be_visible()
        expect(page.get_by_text("hypothesis").first).to_be_visible()
        expect(page.get_by_text("What is right")).to_have_count(0)
        page.get_by_label("Dataset").select_option("nli-stories")
        page.wait_for_url("**dataset=nli-stories")
        expect(page.get_by_text("What is right").first).to_be_visible()


def test_a_model_that_is_not_there_is_told(web: Web, two: Two) -> None:
    with web.page(f"/boards/nli/compare?a={two.a}&b={'0' * 32}") as page:
        expect(page.get_by_text("A model of this address is not on the board")).to_be_visible()


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, two: Two, size: str, scheme: str) -> None:
    with web.page(f"{two.address}&dataset=nli-stories", size=size, scheme=scheme, key=web.admin_key) as page:
        expect(page.get_by_text("What is right").first).to_be_visible()
        expect(page.get_by_text("tell them apart").or_(page.get_by_text("tells them apart")).first).to_be_visible()
        assert axe(page) == []

"""Boards that are kept: frozen ones with their citation, and weights with a name."""

from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.conftest import Web, axe
from tests.web.test_leaderboard import set_weight, shown, told


def freeze(web: Web, query: str = "") -> str:
    """The id of a snapshot of the sentiment board."""
    url = f"{web.url}/api/v1/leaderboards/sentiment/snapshots?{query}"
    answer = httpx.post(url, headers={"authorization": f"Bearer {web.admin_key}"}).raise_for_status()
    return str(answer.json()["id"])


def test_a_frozen_board_keeps_weights_and_scores_and_says_how_to_cite_it(web: Web) -> None:
    with web.page("/boards/sentiment?weight.memory=3", key=web.admin_key) as page:
        page.get_by_role("button", name="Freeze and cite").click()
        page.get_by_role("button", name="Freeze this board").click()
        expect(page.get_by_role("region", name="As BibTeX")).to_contain_text("@misc{")
        page.get_by_role("link", name="/snapshots/").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("frozen")
        expect(page.locator("tbody tr[data-model]")).to_have_count(3)
        assert shown(page) == told(web, "sentiment", memory=3)


def test_a_frozen_board_is_ranked_anew_by_its_sliders(web: Web) -> None:
    with web.page(f"/snapshots/{freeze(web)}") as page:
        expect(page.locator("tbody tr[data-model]")).to_have_count(3)
        set_weight(page, "throughput", 5)
        assert shown(page) == told(web, "sentiment", throughput=5)


def test_only_who_signs_in_can_freeze(web: Web) -> None:
    with web.page("/boards/sentiment") as page:
        page.get_by_role("button", name="Freeze and cite").click()
        expect(page.get_by_role("dialog").get_by_role("link", name="Sign in")).to_be_visible()


def test_a_fork_keeps_weights_under_a_name(web: Web) -> None:
    name = f"phones-{uuid4().hex[:8]}"
    with web.page("/boards/sentiment?weight.memory=5", key=web.admin_key) as page:
        page.get_by_role("button", name="Fork").click()
        page.get_by_label("Name").fill(name)
        page.get_by_label("Why these weights").fill("Memory runs out first.")
        page.get_by_role("dialog").get_by_role("button", name="Fork").click()
        page.get_by_role("dialog").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(page.locator("tbody tr[data-model]")).to_have_count(3)
        assert shown(page) == told(web, "sentiment", memory=5)
        assert axe(page) == []
    with web.page("/boards/sentiment") as page:
        expect(page.get_by_role("link", name=name)).to_be_visible()


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page(f"/snapshots/{freeze(web)}", size=size, scheme=scheme) as page:
        expect(page.get_by_role("region", name="As BibTeX")).to_contain_text("@misc{")
        assert axe(page) == []

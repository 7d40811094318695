"""The first page: what this is, and the top of every board."""

import pytest

from tests.web.conftest import Web, axe


def test_every_task_leads_to_its_board(web: Web) -> None:
    with web.page("/") as page:
        page.get_by_role("main").get_by_role("link", name="Sentiment").first.click()
        page.wait_for_url("**/boards/sentiment")


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page("/", size=size, scheme=scheme) as page:
        page.get_by_role("main").get_by_role("link", name="Sentiment").first.wait_for()
        assert axe(page) == []

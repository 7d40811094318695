"""What one metric costs in another, and which weights would put whom first."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.conftest import Web, axe
from tests.web.test_leaderboard import board

# Other tests of the session may have added models.
SCATTER = re.compile(r"Performance against throughput of \d+ models")


def test_axes_are_chosen_and_stay_in_the_address(web: Web) -> None:
    with web.page("/boards/sentiment/trade-offs?weight.memory=3") as page:
        page.get_by_label("Across", exact=True).select_option("memory")
        page.wait_for_url(re.compile("weight.memory=3.*x=memory"))
        page.reload()
        expect(page.get_by_role("heading", name="Performance against memory")).to_be_visible()


def test_the_table_says_what_the_chart_shows(web: Web) -> None:
    with web.page("/boards/sentiment/trade-offs") as page:
        expect(page.get_by_role("img", name=SCATTER)).to_be_visible()
        page.get_by_text("The same as a table").click()
        table = page.get_by_role("table", name="Performance and throughput of each model")
        for row in board(web, "sentiment")["rows"]:
            value = f"{row['metrics']['performance']['value']:.2f}"
            expect(table.get_by_role("row", name=row["name"])).to_contain_text(value)


def test_weights_that_would_put_a_model_first_can_be_applied(web: Web) -> None:
    places = httpx.get(f"{web.url}/api/v1/leaderboards/sentiment/weight-map").raise_for_status().json()["models"]
    name = next(model["name"] for model in places if model["rank"] != 1 and model["can_be_first"])
    with web.page("/boards/sentiment/trade-offs") as page:
        page.get_by_role("button", name=f"Apply the weights that put {name} first").click()
        page.wait_for_url(re.compile(r"weight\."))
        weights = {key.removeprefix("weight."): float(value) for key, value in httpx.URL(page.url).params.items()}
        rows = [row for row in board(web, "sentiment", **weights)["rows"] if row["rank"]]
        # At the nearest weights it is first alone or with equals.
        highest = pytest.approx(rows[0]["score"], rel=1e-4)
        assert name in {row["name"] for row in rows if row["score"] == highest}


def test_a_click_on_the_map_sets_both_weights(web: Web) -> None:
    with web.page("/boards/sentiment/trade-offs") as page:
        weight_map = page.get_by_role("img", name="Who is first by the weights of")
        weight_map.scroll_into_view_if_needed()
        box = weight_map.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.6)
        page.wait_for_url(re.compile(r"weight\.performance=.*weight\.throughput="))
        params = httpx.URL(page.url).params
        total = sum(float(value) for key, value in params.items() if key.startswith("weight."))
        assert float(params["weight.performance"]) / total == pytest.approx(0.226, abs=0.01)


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page("/boards/sentiment/trade-offs", size=size, scheme=scheme) as page:
        expect(page.get_by_role("img", name=SCATTER)).to_be_visible()
        expect(page.get_by_role("img", name="Who is first by the weights of")).to_be_visible()
        for summary in ("The same as a table", "Exchange rates without each model"):
            page.get_by_text(summary).first.click()
        assert axe(page) == []

"""A task's leaderboard in the browser: it says what the API says, while sliders move and afterwards."""

import csv
import io
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from dynaboard.schemas import ModelChange
from tests.web.conftest import Web, axe

METRICS = ("performance", "throughput", "memory", "fairness", "robustness")


def shown(page: Page) -> list[tuple[str, str, str]]:
    """Name, rank and score of each row, from the top."""
    rows = page.locator("tbody tr[data-model]")
    return [
        (
            row.get_attribute("data-model") or "",
            row.locator("[data-cell=rank]").inner_text(),
            row.locator("[data-cell=score]").inner_text(),
        )
        for row in rows.all()
    ]


def state(page: Page) -> Locator:
    """The line that says who is first and how sure that is."""
    return page.get_by_role("region", name="Models").get_by_role("status")


def told(web: Web, task: str, query: str = "", **weights: float) -> list[tuple[str, str, str]]:
    """The same from the API."""
    rows = board(web, task, query, **weights)["rows"]
    return [
        (
            row["name"],
            str(row["rank"] or "–"),
            "–" if row["score"] is None else f"{row['score']:,.2f}".replace("-", "−"),
        )
        for row in rows
    ]


def board(web: Web, task: str, query: str = "", **weights: float) -> dict[str, Any]:
    url = httpx.URL(f"{web.url}/api/v1/leaderboards/{task}?{query}")
    url = url.copy_merge_params({f"weight.{metric}": weight for metric, weight in weights.items()})
    answer: dict[str, Any] = httpx.get(url).raise_for_status().json()
    return answer


def set_weight(page: Page, metric: str, weight: float) -> None:
    """Move a slider to a weight by keyboard, as it stands on quarters."""
    slider = page.get_by_role("slider", name=metric.capitalize(), exact=True)
    slider.focus()
    for _ in range(100):
        now = float(slider.input_value())
        if abs(now - weight) < 0.01:
            return
        by = ("PageUp" if weight > now else "PageDown") if abs(weight - now) >= 1 else "ArrowRight"
        page.keyboard.press("ArrowLeft" if by == "ArrowRight" and weight < now else by)
    pytest.fail(f"the slider of {metric} does not reach {weight}")


@pytest.mark.parametrize("task", ["sentiment", "nli"])
def test_the_board_is_that_of_the_api(web: Web, task: str) -> None:
    with web.page(f"/boards/{task}") as page:
        expect(page.locator("tbody tr[data-model]")).to_have_count(3)
        assert shown(page) == told(web, task)


@pytest.mark.parametrize(
    "weights",
    [
        {"memory": 6.0},
        {"performance": 0.0, "throughput": 3.0},
        {"performance": 1.5, "throughput": 0.0, "memory": 0.0, "fairness": 7.25, "robustness": 0.25},
    ],
)
def test_after_moving_sliders_ranks_and_dynascores_are_those_of_the_api(web: Web, weights: dict[str, float]) -> None:
    with web.page("/boards/sentiment") as page:
        for metric, weight in weights.items():
            set_weight(page, metric, weight)
        assert shown(page) == told(web, "sentiment", "", **weights)


def test_a_slider_changes_who_is_first(web: Web) -> None:
    best = told(web, "sentiment", performance=4, throughput=0, memory=0, fairness=0, robustness=0)[0][0]
    fastest = told(web, "sentiment", performance=0, throughput=4, memory=0, fairness=0, robustness=0)[0][0]
    assert best != fastest
    query = "weight.throughput=0&weight.memory=0&weight.fairness=0&weight.robustness=0"
    with web.page(f"/boards/sentiment?{query}") as page:
        expect(page.locator("tbody tr[data-model]").first).to_have_attribute("data-model", best)
        set_weight(page, "throughput", 4)
        set_weight(page, "performance", 0)
        expect(page.locator("tbody tr[data-model]").first).to_have_attribute("data-model", fastest)


def test_intervals_follow_when_the_slider_rests(web: Web) -> None:
    with web.page("/boards/sentiment") as page:
        expect(state(page)).to_contain_text("intervals hold")
        set_weight(page, "memory", 6)
        expect(state(page)).to_contain_text("intervals hold")
        low, high = (board(web, "sentiment", memory=6)["rows"][0][end] for end in ("rank_low", "rank_high"))
        words = "sure" if low == high else f"{low}–{high}"
        expect(page.locator("tbody tr[data-model]").first).to_contain_text(words)


def test_the_address_holds_everything(web: Web) -> None:
    with web.page("/boards/sentiment") as page:
        set_weight(page, "memory", 3)
        page.get_by_role("columnheader", name="Throughput").get_by_role("button").click()
        page.get_by_role("searchbox").fill("-sentiment")
        page.get_by_role("button", name="Details of tfidf-sentiment").click()
        page.wait_for_url(re.compile(r"weight\.memory=3.*sort=throughput.*search=-sentiment.*open="))
        before = shown(page)
        page.reload()
        expect(page.get_by_role("button", name="Details of tfidf-sentiment")).to_have_attribute("aria-expanded", "true")
        assert shown(page) == before
        assert page.get_by_role("searchbox").input_value() == "-sentiment"
        expect(page.locator("th[aria-sort]", has_text="Throughput")).to_have_attribute("aria-sort", "descending")
        page.get_by_role("button", name="Reset").click()
        expect(page.get_by_role("slider", name="Memory")).to_have_value("1")


def test_sorting_by_a_column_and_turning_it_round(web: Web) -> None:
    values = {row["name"]: row["metrics"]["memory"]["value"] for row in board(web, "sentiment")["rows"]}
    with web.page("/boards/sentiment") as page:
        heading = page.get_by_role("columnheader", name="Memory")
        heading.get_by_role("button").click()
        expect(heading).to_have_attribute("aria-sort", "ascending")
        assert [name for name, _, _ in shown(page)] == sorted(values, key=values.__getitem__)
        heading.get_by_role("button").click()
        expect(heading).to_have_attribute("aria-sort", "descending")
        assert [name for name, _, _ in shown(page)] == sorted(values, key=values.__getitem__, reverse=True)


def test_a_row_opens_to_its_datasets_and_perturbations(web: Web) -> None:
    with web.page("/boards/sentiment") as page:
        page.get_by_role("button", name="Details of tfidf-sentiment").click()
        for caption in (
            "How its score is made",
            "On each dataset",
            "Robustness on sentiment-reviews, by transformation",
            "Fairness on sentiment-reviews, by group",
        ):
            expect(page.get_by_role("table", name=caption)).to_be_visible()
        expect(page.get_by_role("rowheader", name="SpellingError")).to_be_visible()


def test_what_the_numbers_do_not_say_stands_beside_them(web: Web) -> None:
    with web.page("/boards/nli") as page:
        for warning in board(web, "nli")["warnings"]:
            words = warning.split(": ", 1)[-1]
            expect(page.get_by_text(words[1:60])).to_be_visible()


def test_an_export_carries_the_weights(web: Web) -> None:
    with web.page("/boards/sentiment?weight.memory=3") as page:
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV").click()
        rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
        assert [row["model"] for row in rows] == [name for name, _, _ in told(web, "sentiment", memory=3)]


def test_a_model_that_lands_appears_by_itself(web: Web) -> None:
    with web.client() as client:
        (model,) = [model for model in client.models.all("nli") if model.name == "tfidf-nli"]
        client.models.change(model.id, ModelChange(published=False))
        try:
            with web.page("/boards/nli") as page:
                expect(page.locator("tbody tr[data-model]")).to_have_count(2)
                client.models.change(model.id, ModelChange(published=True))
                expect(page.locator("tbody tr[data-model=tfidf-nli]")).to_contain_text("new")
                expect(state(page)).to_contain_text("New: tfidf-nli at rank")
        finally:
            client.models.change(model.id, ModelChange(published=True))


def test_a_board_of_the_past_says_so(web: Web) -> None:
    with web.page("/boards/sentiment?as_of=2020-01-01T00:00:00Z") as page:
        expect(page.get_by_text("The board was empty then")).to_be_visible()
        page.get_by_role("button", name="Show the board of now").click()
        expect(page.locator("tbody tr[data-model]")).to_have_count(3)


def test_each_number_says_where_it_comes_from(web: Web) -> None:
    row = board(web, "sentiment")["rows"][0]
    with web.page(f"/boards/sentiment?open={row['model_id']}") as page:
        page.get_by_text("Where these numbers come from").click()
        expect(page.get_by_role("table", name="Where each number comes from")).to_contain_text(
            row["datasets"][0]["digest"][:12]
        )


@pytest.mark.parametrize("query", ["weight.beauty=1", "dataset_weight.nowhere=1", "dataset_weight.sentiment-reviews=0"])
def test_weights_that_cannot_be_are_told_beside_the_board(web: Web, query: str) -> None:
    with web.page(f"/boards/sentiment?{query}") as page:
        expect(page.get_by_role("alert")).to_be_visible()


def test_tag_and_machine_are_chosen_from_what_there_is(web: Web) -> None:
    with web.client() as client:
        (machine,) = client.hardware("sentiment")
    with web.page("/boards/sentiment") as page:
        page.get_by_text("Method, slice and time").click()
        chosen = page.get_by_label("Measured on hardware")
        expect(chosen).to_have_value(machine.fingerprint)
        expect(chosen.locator("option")).to_contain_text(f"{machine.models} models")
        page.get_by_label("Only examples with the tag").select_option("sarcasm")
        page.wait_for_url("**tag=sarcasm*")


def test_a_task_that_does_not_exist_is_told(web: Web) -> None:
    with web.page("/boards/no-such-task") as page:
        expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page("/boards/sentiment?weight.memory=3&since=1d", size=size, scheme=scheme) as page:
        page.get_by_role("button", name="Details of tfidf-sentiment").click()
        expect(page.get_by_role("rowheader", name="SpellingError")).to_be_visible()
        page.get_by_text("Method, slice and time").click()
        page.get_by_text("Where these numbers come from").click()
        assert axe(page) == []
        page.get_by_role("button", name="Export").click()
        assert axe(page) == []

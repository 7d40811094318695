"""The page at /plain: leaderboards to read without any script."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dynaboard.leaderboard_schemas import CellView, LeaderboardRow, LeaderboardView
from dynaboard.nlp_tasks import TASKS as SHIPPED
from services.gateway.page import interval, number
from tests.serving import serving

UNITS = {"performance": "%", "throughput": "examples/s"}
TASKS = [
    {
        "name": name,
        "title": task.title,
        "inputs": task.inputs,
        "labels": task.labels,
        "answer_field": task.answer_field,
        "performance_metric": task.performance_metric,
        "default_weights": {},
        "example": {},
        "settings_version": 0,
        "settings": {},
    }
    for name, task in SHIPPED.items()
]
HOSTILE = "<script>alert(1)</script>"


def cell(value: float, low: float | None = None, high: float | None = None) -> CellView:
    return CellView(metric="performance", value=value, low=low, high=high, n=10, unit="%")


def row(**values: Any) -> LeaderboardRow:
    known: dict[str, Any] = {
        "rank": 1,
        "score": 40.25,
        "model_id": "m",
        "submission_id": "s",
        "name": "tfidf",
        "version": 2,
        "owner": "ada",
        "digest": "0" * 64,
        "verified": True,
        "baseline": False,
        "published": True,
        "metrics": {"performance": cell(81.5, 79.25, 83.5), "throughput": cell(1234.5)},
    }
    return LeaderboardRow(**(known | values))


def board(task: str, rows: list[LeaderboardRow]) -> LeaderboardView:
    return LeaderboardView(
        task=task,
        aggregation="dynascore",
        rows=rows,
        total=len(rows),
        limit=50,
        offset=0,
        sort="score",
        order="descending",
        base_metric="performance",
        weights={"performance": 0.5, "throughput": 0.5},
        dataset_weights={},
        datasets=[],
        units=UNITS,
        amrs={},
        exchange_rates={},
        kept_pairs={},
        excluded={"fairness": "No model has a value."},
        epsilon={},
        memory_budget_gib=32,
        hardware_profile=None,
        pool=[],
        warnings=["A Dynascore has meaning only beside the other models of this board."],
        generated_at=datetime.now(UTC),
    )


@pytest.fixture
def page(gateway: Callable[..., httpx.Client]) -> Iterator[Callable[[list[LeaderboardRow]], httpx.Response]]:
    """The page, before a scoring service whose board of sentiment has these rows; qa fails, the others are empty."""
    shown: list[LeaderboardRow] = []

    async def answer(request: Request) -> Response:
        task = request.path_params["task"]
        if task == "qa":
            return Response("broken", 500)
        body = board(task, shown if task == "sentiment" else []).model_dump(mode="json")
        return Response(json.dumps(body), media_type="application/json")

    async def tasks(request: Request) -> Response:
        return Response(json.dumps(TASKS), media_type="application/json")

    with serving(Starlette(routes=[Route("/leaderboards/{task}", answer), Route("/tasks", tasks)])) as scoring:
        http = gateway(scoring_url=scoring)

        def get(rows: list[LeaderboardRow]) -> httpx.Response:
            shown[:] = rows
            return http.get(str(http.base_url).replace("/api/v1/", "/plain"))

        yield get


def test_a_row_shows_rank_score_values_and_intervals(page: Callable[..., httpx.Response]) -> None:
    text = page([row()]).text
    for shown in ("tfidf", "ada, version 2", "40.25", "81.50", "79.25–83.50", "1,234"):
        assert shown in text


def test_flags_and_warnings_are_words_on_the_page(page: Callable[..., httpx.Response]) -> None:
    text = page([row(flags=["noisy"], baseline=True)]).text
    for shown in ("noisy", "baseline", "No model has a value.", "A Dynascore has meaning only"):
        assert shown in text


def test_a_model_without_a_rank_says_what_it_lacks(page: Callable[..., httpx.Response]) -> None:
    unranked = row(rank=None, score=None, metrics={"performance": None}, missing=["memory on films"])
    assert "lacks memory on films" in page([unranked]).text


def test_an_anonymous_owner_stays_so(page: Callable[..., httpx.Response]) -> None:
    assert "anonymous, version 2" in page([row(owner=None)]).text


def test_a_board_that_fails_leaves_the_others_on_the_page(page: Callable[..., httpx.Response]) -> None:
    response = page([row()])
    assert response.status_code == 200
    assert response.text.count("not available just now") == 1
    assert response.text.count("No model has been published yet") == 2


def test_without_any_board_the_page_is_unavailable(gateway: Callable[..., httpx.Client]) -> None:
    http = gateway()
    response = http.get(str(http.base_url).replace("/api/v1/", "/plain"))
    assert (response.status_code, response.headers["content-type"]) == (503, "text/html; charset=utf-8")


def test_words_of_strangers_are_only_text(page: Callable[..., httpx.Response]) -> None:
    text = page([row(name=HOSTILE, owner=HOSTILE, flags=[HOSTILE], missing=[HOSTILE])]).text
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 4


@pytest.mark.parametrize(("value", "shown"), [(12345.6, "12,346"), (123.46, "123.5"), (1.25, "1.25"), (-0.5, "-0.500")])
def test_numbers_have_as_many_digits_as_one_can_use(value: float, shown: str) -> None:
    assert number(value) == shown


def test_an_interval_that_is_not_known_is_not_shown() -> None:
    assert interval(cell(1.0)) == ""

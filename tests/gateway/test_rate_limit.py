"""How often somebody may ask."""

from collections.abc import Callable

import httpx
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.rate_limit import REMEMBERED, RateLimit

WAITS = st.lists(st.floats(0, 30), min_size=1, max_size=300)


def test_a_minutes_worth_may_come_at_once() -> None:
    limit = RateLimit(5)
    assert [limit.hit("ada", 0.0) for _ in range(6)] == [0, 0, 0, 0, 0, 12]


def test_callers_do_not_pay_for_one_another() -> None:
    limit = RateLimit(1)
    assert [limit.hit(who, 0.0) for who in ("ada", "eve")] == [0, 0]


@given(st.integers(1, 50), WAITS)
def test_no_more_pass_than_a_minutes_worth_and_what_time_adds(per_minute: int, waits: list[float]) -> None:
    limit, now, passed = RateLimit(per_minute), 0.0, 0
    for wait in waits:
        now += wait
        passed += limit.hit("ada", now) == 0
    assert passed <= per_minute + now / 60 * per_minute + 1e-6


@given(st.integers(1, 50), WAITS)
def test_who_waits_as_long_as_told_passes(per_minute: int, waits: list[float]) -> None:
    limit, now = RateLimit(per_minute), 0.0
    for wait in waits:
        now += wait
        told = limit.hit("ada", now)
        if told > 0:
            now += told
            assert limit.hit("ada", now) == 0


def test_those_who_owe_nothing_are_forgotten() -> None:
    limit = RateLimit(60)
    for number in range(3 * REMEMBERED):
        limit.hit(str(number), number * 0.01)
    assert len(limit._busy_until) <= REMEMBERED


def test_too_many_requests_are_told_when_to_come_back(
    gateway: Callable[..., httpx.Client], admin: dict[str, str]
) -> None:
    http = gateway(requests_per_minute=3)
    answers = [http.get("/tasks") for _ in range(4)]
    # 503: it may pass, but nothing is behind this gateway.
    assert [answer.status_code for answer in answers] == [503, 503, 503, 429]
    assert 1 <= int(answers[3].headers["retry-after"]) <= 20
    assert answers[3].json()["error"] == "TooManyRequests"
    assert http.get("/tasks", headers=admin).status_code == 503


def test_strangers_keys_count_against_their_address(gateway: Callable[..., httpx.Client]) -> None:
    http = gateway(requests_per_minute=3)
    answers = [http.get("/tasks", headers={"authorization": f"Bearer dyb_{number}"}) for number in range(4)]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]


def test_questions_to_models_have_a_limit_of_their_own(gateway: Callable[..., httpx.Client]) -> None:
    http = gateway(predictions_per_minute=1)
    url, question = f"/submissions/{'0' * 32}/predict", {"examples": [{"text": "Hello."}]}
    assert [http.post(url, json=question).status_code for _ in range(2)] == [503, 429]
    assert http.get("/tasks").status_code == 503


def test_analyses_that_take_long_have_a_limit_of_their_own(gateway: Callable[..., httpx.Client]) -> None:
    http = gateway(analyses_per_minute=2)
    parts = ("pairs", "influence", "weight-map")
    assert [http.get(f"/leaderboards/nli/{part}").status_code for part in parts] == [503, 503, 429]
    assert http.get("/leaderboards/nli").status_code == 503, "the board itself is another matter"

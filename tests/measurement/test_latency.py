"""Latency over the run: few windows, nothing lost that a reader looks for."""

from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.latency import MOST_WINDOWS, course_of, described

LATENCIES = st.lists(st.floats(1e-4, 10), min_size=1, max_size=1_000)


def test_few_requests_are_a_window_each() -> None:
    assert course_of([1.0, 2.0, 4.0]) == ((0.0, 1.0, 1.0), (1.0, 2.0, 2.0), (3.0, 4.0, 4.0))


def test_many_requests_share_windows_equally() -> None:
    course = course_of([1.0, 3.0, 8.0] * 100)
    assert len(course) == 100
    assert course[1] == (12.0, 3.0, 8.0)


@given(LATENCIES)
def test_there_are_never_more_windows_than_a_plot_can_show(seconds: list[float]) -> None:
    course = course_of(seconds)
    assert 1 <= len(course) <= MOST_WINDOWS
    assert all(window.median <= window.slowest for window in course)


@given(LATENCIES)
def test_windows_follow_one_another_within_the_phase(seconds: list[float]) -> None:
    starts = [window.start for window in course_of(seconds)]
    assert starts[0] == 0
    assert starts == sorted(starts)
    assert starts[-1] < sum(seconds)


@given(LATENCIES, st.floats(11, 60), st.integers(0))
def test_a_stall_is_seen_whenever_it_was(seconds: list[float], stall: float, place: int) -> None:
    seconds.insert(place % len(seconds), stall)
    assert [window.slowest for window in course_of(seconds)].count(stall) == 1


def test_percentiles_come_with_their_course() -> None:
    found = described([0.004] * 64, floor=None)
    assert (found.p50, len(found.course)) == (0.004, 64)

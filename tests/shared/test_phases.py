"""What dates allow: nothing is open before its day, and what is open stays so."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dynaboard.phases import counts, inputs_are_open, labels_are_open, phase_of

START = datetime(2026, 5, 3, tzinfo=UTC)
DATES = st.integers(0, 20).map(lambda day: START + timedelta(days=day))


@dataclass
class Dated:
    role: str = "scoring"
    phase: str = "labels-released"
    unlabelled_from: datetime | None = None
    released_from: datetime | None = None


DATED = st.builds(
    Dated,
    role=st.sampled_from(["scoring", "standard", "hidden"]),
    unlabelled_from=st.none() | DATES,
    released_from=st.none() | DATES,
).filter(lambda each: not (each.unlabelled_from and each.released_from) or each.unlabelled_from <= each.released_from)


def test_the_phases_follow_the_dates() -> None:
    dated = Dated(unlabelled_from=START, released_from=START + timedelta(days=2))
    days = [phase_of(dated, START + timedelta(days=day)) for day in (-1, 0, 1, 2, 3)]
    assert days == ["training", "test-unlabelled", "test-unlabelled", "labels-released", "labels-released"]


@given(DATED, DATES, DATES)
def test_what_is_open_stays_open(dated: Dated, one: datetime, other: datetime) -> None:
    earlier, later = sorted((one, other))
    for is_open in (inputs_are_open, labels_are_open, counts):
        assert is_open(dated, later) or not is_open(dated, earlier)


@given(DATED, DATES)
def test_labels_are_never_open_before_inputs_or_where_they_are_hidden(dated: Dated, at: datetime) -> None:
    if labels_are_open(dated, at):
        assert inputs_are_open(dated, at)
        assert counts(dated, at)
        assert dated.role != "hidden"


@given(DATED.filter(lambda each: each.released_from is not None), DATES)
def test_nothing_counts_before_the_labels_are_released(dated: Dated, at: datetime) -> None:
    assert counts(dated, at) == (dated.released_from is not None and at >= dated.released_from)


def test_without_dates_a_set_that_ranks_keeps_its_labels_and_another_shows_them() -> None:
    assert not labels_are_open(Dated())
    assert labels_are_open(Dated(role="standard"))
    assert not labels_are_open(Dated(role="standard", phase="test-unlabelled"))

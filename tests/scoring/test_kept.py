"""What is kept holds under its token, is made once however many ask, and is forgotten in time."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

import pytest

from services.scoring.kept import Kept


def test_a_value_is_made_once_under_a_token_and_anew_under_another() -> None:
    kept, numbers = Kept[int](4, 60), count()
    assert [kept.get("a", token, lambda: next(numbers)) for token in (1, 1, 2, 2, 1)] == [0, 0, 1, 1, 2]


def test_the_key_not_asked_for_longest_is_forgotten() -> None:
    kept, numbers = Kept[int](2, 60), count()
    assert [kept.get(key, 0, lambda: next(numbers)) for key in "ababcab"] == [0, 1, 0, 1, 2, 3, 4]


def test_every_value_is_forgotten_in_time() -> None:
    kept, numbers = Kept[int](2, -1), count()
    assert [kept.get("a", 0, lambda: next(numbers)) for _ in range(2)] == [0, 1]


def test_many_who_ask_at_once_wait_for_one_who_makes_it() -> None:
    kept, numbers, together = Kept[int](2, 60), count(), Barrier(8)

    def ask(_: int) -> int:
        together.wait()
        return kept.get("a", 0, lambda: next(numbers))

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {0}


def test_a_failure_is_told_and_not_kept() -> None:
    kept = Kept[float](2, 60)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", 0, lambda: 1 / 0)
    assert kept.get("a", 0, lambda: 1) == 1

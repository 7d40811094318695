"""A digest that runs along is right or absent, never wrong and never in the way."""

import threading
from hashlib import sha256

from hypothesis import given, settings
from hypothesis import strategies as st

from services.upload.running_digest import RunningDigests

PARTS = {1: b"one", 2: b"two", 3: b"three"}
WHOLE = sha256(b"onetwothree").hexdigest()


def test_parts_in_order_give_the_sha256_of_the_whole() -> None:
    digests = RunningDigests()
    for number, data in PARTS.items():
        digests.add("a", number, memoryview(data))

    assert digests.finish("a", 3) == WHOLE
    assert digests.finish("a", 3) is None


def test_a_part_that_overtook_another_waits_for_it() -> None:
    digests = RunningDigests(patience_s=10)
    threads = [threading.Thread(target=digests.add, args=("a", n, memoryview(PARTS[n]))) for n in (3, 2, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert digests.finish("a", 3) == WHOLE


def test_missing_parts_are_not_waited_for_for_long() -> None:
    digests = RunningDigests(patience_s=0.01)
    for number in (2, 3):
        digests.add("a", number, memoryview(PARTS[number]))

    assert digests.finish("a", 3) is None


def test_the_oldest_uploads_are_forgotten() -> None:
    digests = RunningDigests(remember=2)
    for upload in "abc":
        digests.add(upload, 1, memoryview(b"x"))

    assert digests.finish("a", 1) is None
    assert digests.finish("c", 1) == sha256(b"x").hexdigest()


@settings(deadline=None)
@given(st.lists(st.integers(1, 3), max_size=8))
def test_whatever_comes_in_whatever_order_the_digest_is_right_or_absent(order: list[int]) -> None:
    digests = RunningDigests(patience_s=0)
    for number in order:
        digests.add("a", number, memoryview(PARTS[number]))

    assert digests.finish("a", 3) == (WHOLE if order == [1, 2, 3] else None)

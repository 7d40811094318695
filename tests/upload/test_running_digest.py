"""A digest that runs along is right or absent, never wrong and never in the way."""

import threading
from hashlib import sha256

from hypothesis import given, settings
from hypothesis import strategies as st

from services.upload.running_digest import RunningDigests

PARTS = {1: b"one", 2: b"two", 3: b"three"}
TAGS = {1: "i", 2: "ii", 3: "iii"}
WHOLE = sha256(b"onetwothree").hexdigest()


def stored(digests: RunningDigests, number: int) -> None:
    """A part arrives, is counted, and is stored."""
    digests.add("a", number, memoryview(PARTS[number]))
    digests.stored("a", number, TAGS[number])


def test_parts_in_order_give_the_sha256_of_the_whole() -> None:
    digests = RunningDigests()
    for number in PARTS:
        stored(digests, number)

    assert digests.finish("a", TAGS) == WHOLE
    assert digests.finish("a", TAGS) is None


def test_a_part_that_overtook_another_waits_for_it() -> None:
    digests = RunningDigests(patience_s=10)
    threads = [threading.Thread(target=stored, args=(digests, number)) for number in (3, 2, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert digests.finish("a", TAGS) == WHOLE


def test_missing_parts_are_not_waited_for_for_long() -> None:
    digests = RunningDigests(patience_s=0.01)
    for number in (2, 3):
        stored(digests, number)

    assert digests.finish("a", TAGS) is None


def test_a_part_that_came_again_elsewhere_makes_the_digest_unknown() -> None:
    digests = RunningDigests()
    for number in PARTS:
        stored(digests, number)

    assert digests.finish("a", TAGS | {2: "another replica's"}) is None


def test_a_part_that_was_counted_and_not_stored_makes_the_digest_unknown() -> None:
    digests = RunningDigests()
    digests.add("a", 1, memoryview(b"one"))

    assert digests.finish("a", {1: "another replica's"}) is None


def test_the_oldest_uploads_are_forgotten() -> None:
    digests = RunningDigests(remember=2)
    for upload in "abc":
        digests.add(upload, 1, memoryview(b"x"))
        digests.stored(upload, 1, "x")

    assert digests.finish("a", {1: "x"}) is None
    assert digests.finish("c", {1: "x"}) == sha256(b"x").hexdigest()


@settings(deadline=None)
@given(st.lists(st.integers(1, 3), max_size=8))
def test_whatever_comes_in_whatever_order_the_digest_is_right_or_absent(order: list[int]) -> None:
    digests = RunningDigests(patience_s=0)
    for number in order:
        stored(digests, number)

    assert digests.finish("a", TAGS) == (WHOLE if order == [1, 2, 3] else None)

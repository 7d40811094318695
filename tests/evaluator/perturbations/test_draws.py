"""The random numbers of perturbations."""

from itertools import pairwise

from services.evaluator.perturbations.draws import KeyedDraws


def drawn(key: str, count: int) -> list[float]:
    draws = KeyedDraws(key)
    return [draws.random() for _ in range(count)]


def test_a_key_has_the_same_numbers_everywhere():
    assert [round(number * 2**32) for number in drawn("1:Typos:r0", 3)] == [1_928_204_187, 2_224_878_239, 2_615_990_045]


def test_each_key_has_numbers_of_its_own():
    assert not set(drawn("1:Typos:r0", 100)) & set(drawn("2:Typos:r0", 100))


def test_numbers_are_spread_evenly_over_0_to_1_and_do_not_depend_on_the_one_before():
    numbers = drawn("a", 32_000)
    assert 0 <= min(numbers) < max(numbers) < 1
    for places in ([int(8 * number) for number in numbers], [int(8 * (b - a) % 8) for a, b in pairwise(numbers)]):
        counts = [places.count(place) for place in range(8)]
        squares = sum((count - len(places) / 8) ** 2 for count in counts) / (len(places) / 8)
        assert squares < 24.3  # chi-squared of 7 degrees of freedom: exceeded once in 1,000 keys

"""Robustness and fairness: shares of variants, intervals over examples, per kind and group."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.intervals import Estimate, estimates
from services.scoring.metrics.delta import Comparison, delta_metrics


def comparison(rows: list[tuple[int, bool, int, str, str]], examples: int) -> Comparison:
    """Of (example, same, gain, kind, group)."""
    origin, same, gain, kinds, groups = ([row[column] for row in rows] for column in range(5))
    places, gains = np.array(origin, dtype=np.int64), np.array(gain, dtype=np.int64)
    return Comparison(examples, places, np.array(same, dtype=bool), gains, kinds, groups)


def estimated(given: Comparison, suite: str = "robustness") -> dict[tuple[str, str], Estimate]:
    found = estimates(delta_metrics(suite, given.tags), given, seed=7, replicates=400)
    return {(each.metric.name, each.metric.tag): each for each in found}


ROWS = [
    (0, True, 0, "Keyboard", ""),
    (0, False, -1, "Ocr", ""),
    (2, True, 0, "Keyboard", ""),
    (2, True, 0, "Ocr", ""),
    (2, False, 1, "Typos", ""),
]


def test_every_variant_counts_once_whatever_example_it_is_of() -> None:
    found = estimated(comparison(ROWS, 4))
    assert found["robustness", ""].value == pytest.approx(60)
    assert found["robustness_accuracy_change", ""].value == pytest.approx(0)
    assert found["robustness_coverage", ""].value == pytest.approx(50)


def test_each_kind_has_its_own_numbers() -> None:
    found = estimated(comparison(ROWS, 4))
    assert found["robustness", "kind:Keyboard"].value == 100
    assert found["robustness", "kind:Ocr"].value == 50
    assert found["robustness_accuracy_change", "kind:Ocr"].value == -50
    assert found["robustness_accuracy_change", "kind:Typos"].value == 100


def test_each_group_has_its_own_numbers_and_no_group_is_none() -> None:
    rows = [(0, True, 0, "name", "black-white"), (1, False, 0, "name", "asian-white"), (1, True, 0, "noun", "")]
    found = estimated(comparison(rows, 2), "fairness")
    assert {tag: each.value for (name, tag), each in found.items() if name == "fairness" and "group" in tag} == {
        "group:asian-white": 0,
        "group:black-white": 100,
    }


def test_the_interval_resamples_examples_not_variants() -> None:
    draw = np.random.default_rng(3)
    kept = draw.random(200) < 0.5
    together = [(example, bool(kept[example]), 0, "Typos", "") for example in range(200) for _ in range(10)]
    found = estimated(comparison(together, 200))["robustness", ""]
    half = 100 * 1.96 * np.sqrt(0.25 / 200)  # as wide as for 200 draws, though there are 2,000 variants
    assert found.high - found.low == pytest.approx(2 * half, rel=0.2)


def test_a_copy_without_variants_has_a_coverage_of_zero_and_nothing_else() -> None:
    found = estimated(comparison([], 3))
    assert {name: each.value for (name, _), each in found.items()} == {"robustness_coverage": 0}


def test_a_kind_that_a_resample_may_lack_still_has_an_interval() -> None:
    found = estimated(comparison([(0, True, 0, "Contraction", "")], 30))["robustness", "kind:Contraction"]
    assert (found.low, found.value, found.high) == (100, 100, 100)


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.sampled_from("abc")), min_size=1))
def test_the_whole_is_the_mean_of_the_kinds_weighted_by_their_variants(rows: list[tuple[int, bool, str]]) -> None:
    given_rows = comparison([(example, same, 0, kind, "") for example, same, kind in sorted(rows)], 10)
    metrics = {metric.tag: metric for metric in delta_metrics("robustness", given_rows.tags)[: len(given_rows.tags)]}
    parts = [(metrics[tag].compute(given_rows), given_rows.rows(tag).sum()) for tag in given_rows.tags[1:]]
    expected = sum((value or 0) * count for value, count in parts) / len(rows)
    assert metrics[""].compute(given_rows) == pytest.approx(expected)

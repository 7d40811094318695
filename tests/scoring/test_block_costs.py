"""Blocks out of a cell's provenance: of the protocol with a reference, and of the one before it."""

import numpy as np
import pytest

from services.scoring.block_costs import GIB, RATE_BETWEEN_RUNS, Blocks, between_runs

OLD = {
    "blocks": [{"start_s": 0.0, "seconds": 1.0, "examples": 100}, {"start_s": 1.0, "seconds": 2.0, "examples": 220}],
    "memory_samples": [[0.5, GIB], [1.5, 2 * GIB], [2.5, 4 * GIB]],
}


def paired(pair: int, model: str, start: float, examples: int) -> dict[str, object]:
    """A block of one second."""
    return {"pair": pair, "model": model, "start_s": start, "seconds": 1.0, "examples": examples}


NEW = {
    "rating": 10.0,
    "between_runs": 0.005,
    "blocks": [
        paired(0, "candidate", 0.0, 40),
        paired(0, "reference", 1.0, 10),
        paired(0, "candidate", 2.0, 20),
        paired(0, "reference", 3.0, 10),
        paired(1, "candidate", 4.0, 20),
        paired(1, "reference", 5.0, 5),
    ],
    "memory_samples": [[0.5, GIB], [1.5, 9 * GIB], [2.5, 3 * GIB], [4.5, 5 * GIB]],
}


def test_blocks_of_the_first_protocol_are_rates_of_their_own() -> None:
    found = Blocks.of(OLD)
    assert found == Blocks((100.0, 110.0), (1.0, 3.0), RATE_BETWEEN_RUNS)


def test_pairs_are_ratios_times_the_references_rating() -> None:
    found = Blocks.of(NEW)
    assert found.rates == (30.0, 40.0)
    assert found.between_runs == 0.005


def test_memory_is_that_of_the_candidates_own_turns() -> None:
    assert Blocks.of(NEW).memory == (2.0, 5.0)


def test_a_cell_without_blocks_tells_nothing() -> None:
    assert Blocks.of({}).deviations("throughput", 1) is None
    assert Blocks.of({}).deviations("memory", 1) is None


@pytest.mark.parametrize("rates", [0.005, 0.028])
def test_throughput_varies_from_run_to_run_as_its_protocol_says(rates: float) -> None:
    drawn = between_runs("throughput", 200.0, 1, rates, 4_000)
    assert np.std(drawn) == pytest.approx(200 * rates, rel=0.05)
    assert np.std(between_runs("memory", 2.0, 1, rates, 4_000)) == pytest.approx(0.02 * 2 / (1.96 * 2**0.5), rel=0.05)

"""Throughput and memory of a bundle follow from the blocks and samples that it keeps, and from nothing else."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from dynaboard.bundle.document import BundledCell, BundleDocument
from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.paired import ratio_of
from dynaboard.measurement.profiles import PROTOCOL_VERSION
from services.scoring.bundles.costs import OBSERVED, recompute_costs

PAIRS = [Pair((Block(2.0 * place, 1.0, 100 + place),), (Block(2.0 * place + 1, 1.0, 50),)) for place in range(8)]
RATING = 1000.0
GIB = 2**30
KEPT: dict[str, Any] = {
    "protocol": PROTOCOL_VERSION,
    "rating": RATING,
    "memory_samples": [[place / 2, 2 * GIB] for place in range(34)],
    "blocks": [
        {"pair": number, "model": name, **asdict(block)}
        for number, pair in enumerate(PAIRS)
        for name, side in (("candidate", pair.candidate), ("reference", pair.reference))
        for block in side
    ],
}


def document(*cells: BundledCell) -> BundleDocument:
    return BundleDocument(kind="board", made_at=datetime.now(UTC), made_with={}, task={}, cells=list(cells), files={})


def cell(metric: str, value: float, **fields: Any) -> BundledCell:
    known: dict[str, Any] = {
        "table": "measurements",
        "model_digest": "a" * 64,
        "dataset_digest": "b" * 64,
        "perturbation_digest": "",
        "metric": metric,
        "metric_version": "2",
        "hardware_profile": "h",
        "protocol_version": f"{PROTOCOL_VERSION}-quick",
        "value": value,
        "low": None,
        "high": None,
        "n": 34,
        "unit": "",
        "flags": [],
        "provenance": {"protocol": PROTOCOL_VERSION},
        "created_at": datetime.now(UTC),
    }
    return BundledCell(**(known | fields))


def throughput() -> BundledCell:
    ratio = ratio_of(PAIRS)
    ends = {"low": ratio.low * RATING, "high": ratio.high * RATING}
    return cell("throughput", ratio.value * RATING, n=len(PAIRS), provenance=KEPT, **ends)


def test_throughput_is_the_median_of_paired_ratios_times_the_rating() -> None:
    assert [found.difference for found in recompute_costs(document(throughput()))] == [None]


def test_memory_is_the_mean_over_the_model_s_own_blocks() -> None:
    found = list(recompute_costs(document(throughput(), cell("memory", 2.0))))
    assert [one.difference for one in found] == [None, None]


def test_a_better_throughput_than_its_blocks_give_is_named() -> None:
    better = throughput().model_copy(update={"value": 9_999.0})
    (found,) = recompute_costs(document(better))
    assert "states value 9999.0, the blocks give 2070" in (found.difference or "")


def test_a_throughput_without_its_blocks_is_not_believed() -> None:
    bare = throughput().model_copy(update={"provenance": {"protocol": PROTOCOL_VERSION}})
    (found,) = recompute_costs(document(bare))
    assert "are not in the bundle" in (found.difference or "")


def test_what_was_read_off_the_machine_is_said_to_be_so() -> None:
    (found,) = recompute_costs(document(cell("latency_p50", 3.0)))
    assert found.withheld == OBSERVED


def test_costs_of_another_protocol_are_left_alone() -> None:
    (found,) = recompute_costs(document(cell("throughput", 1.0, provenance={"protocol": "1"})))
    assert "cost protocol 1" in (found.withheld or "")

"""The costs of a bundle, computed anew from the blocks and samples that its cells keep. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dynaboard.bundle.document import BundledCell, BundleDocument
from dynaboard.measurement import paired, statistics
from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.profiles import PROTOCOL_VERSION
from services.scoring.block_costs import CANDIDATE, GIB, REFERENCE
from services.scoring.bundles.recomputing import Recomputed, difference

OBSERVED = "read off the machine while it ran (latencies, peaks, start-up): there is nothing to compute again"
Key = tuple[str, str, str]


def recompute_costs(document: BundleDocument) -> Iterator[Recomputed]:
    """Each cost cell of a bundle in turn."""
    costs = [cell for cell in document.cells if cell.table == "measurements"]
    kept = {_run(cell): cell.provenance for cell in costs if cell.metric == "throughput"}
    for cell in costs:
        yield _recomputed(cell, kept.get(_run(cell), {}))


def _run(cell: BundledCell) -> Key:
    return cell.dataset_digest, cell.hardware_profile, cell.protocol_version


def _recomputed(cell: BundledCell, kept: Mapping[str, Any]) -> Recomputed:
    if cell.provenance.get("protocol") != PROTOCOL_VERSION:
        other = f"it is of cost protocol {cell.provenance.get('protocol')}; this Dynaboard knows {PROTOCOL_VERSION}"
        return Recomputed(cell.title, withheld=other)
    if cell.metric not in COMPUTED:
        return Recomputed(cell.title, withheld=OBSERVED)
    try:
        found = COMPUTED[cell.metric](kept)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return Recomputed(cell.title, difference="the blocks that it was computed from are not in the bundle")
    return Recomputed(cell.title, difference=difference(cell, found, "the blocks"))


def _throughput(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The median of paired ratios times the reference's rating."""
    ratio, rating = paired.ratio_of(pairs := _pairs(kept["blocks"])), float(kept["rating"])
    return {"n": len(pairs), "value": ratio.value * rating, "low": ratio.low * rating, "high": ratio.high * rating}


def _memory(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The time-weighted mean over the candidate's own blocks, in GiB."""
    own = [block for pair in _pairs(kept["blocks"]) for block in pair.candidate]
    samples = [(float(time), float(used)) for time, used in kept["memory_samples"]]
    spans = [(block.start_s, block.start_s + block.seconds) for block in own]
    return {"n": len(samples), "value": statistics.mean_within(samples, spans) / GIB, "low": None, "high": None}


COMPUTED = {"throughput": _throughput, "memory": _memory}


def _pairs(blocks: Sequence[Mapping[str, Any]]) -> list[Pair]:
    sides: dict[int, dict[str, list[Block]]] = {}
    for block in blocks:
        taken = Block(float(block["start_s"]), float(block["seconds"]), int(block["examples"]))
        sides.setdefault(int(block["pair"]), {}).setdefault(str(block["model"]), []).append(taken)
    return [Pair(tuple(of_pair[CANDIDATE]), tuple(of_pair[REFERENCE])) for _, of_pair in sorted(sides.items())]

"""The blocks of a cost measurement, out of its provenance: rates and memory, block by block. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from services.scoring.board import FloatArray
from services.scoring.intervals import REPLICATES
from services.scoring.replicates import Replicates, Z, of_blocks

GIB = 2**30
# Blocks of one run say nothing of the next run. The median rate of two calm runs of protocol 1 has a coefficient of
# variation of 2.8 %, and later protocols store theirs; the mean memory of two runs is taken to agree within 2 % or
# 1 MiB, whichever is more, in 95 % of cases. (Five runs of one small model on one machine lay within 0.07 MiB: this is
# on the safe side.)
RATE_BETWEEN_RUNS = 0.028
MEMORY_AGREES, LEAST_MEMORY_GIB = 0.02, 1 / 1024
CANDIDATE, REFERENCE = "candidate", "reference"


def between_runs(
    metric: str, value: float, seed: int, rates: float = RATE_BETWEEN_RUNS, count: int = REPLICATES
) -> Replicates:
    """How far "throughput" or "memory" of this value would be off in another run of the same model; normal.

    `rates`: the coefficient of variation of throughput between runs.
    """
    spread = rates * value
    if metric == "memory":
        spread = max(MEMORY_AGREES * value, LEAST_MEMORY_GIB) / (Z * 2**0.5)
    draw = np.random.default_rng([seed, *metric.encode()])
    return np.asarray(draw.normal(0.0, spread, count), dtype=np.float32)


@dataclass(frozen=True)
class Blocks:
    """Examples a second as each block (protocol 1) or pair of blocks tells it, and their mean memory in GiB.

    Memory is of those in which it was sampled. `between_runs`: how much throughput varies from run to run.
    """

    rates: tuple[float, ...]
    memory: tuple[float, ...]
    between_runs: float = RATE_BETWEEN_RUNS

    @classmethod
    def of(cls, provenance: Mapping[str, Any]) -> "Blocks":
        """What a throughput cell keeps: `blocks` (start_s, seconds, examples) and `memory_samples` (seconds, bytes).

        Since protocol 2 each block has its `pair` and `model`, and the cell the `rating` of the reference.
        """
        blocks = provenance.get("blocks") or ()
        samples = np.array(provenance.get("memory_samples") or (), dtype=np.float64).reshape(-1, 2)
        if not any("pair" in block for block in blocks):
            return cls(
                tuple(map(_rate, ([block] for block in blocks))), _memory([[block] for block in blocks], samples)
            )
        sides: dict[str, dict[int, list[Mapping[str, Any]]]] = {CANDIDATE: {}, REFERENCE: {}}
        for block in blocks:
            sides[block["model"]].setdefault(block["pair"], []).append(block)
        rating = provenance["rating"]
        taken = sides[CANDIDATE].items()
        rates = tuple(_rate(own) / _rate(sides[REFERENCE][pair]) * rating for pair, own in taken)
        return cls(rates, _memory(list(sides[CANDIDATE].values()), samples), provenance["between_runs"])

    def deviations(self, metric: str, seed: int) -> Replicates | None:
        """How far "throughput" (a median over blocks) or "memory" (a mean) could be off; None below two blocks.

        Both draw the same blocks where both have them all, so what slows a block down counts once.
        """
        if metric == "throughput" and len(self.rates) > 1:
            return of_blocks(self.rates, 0.0, seed, np.median)
        if metric == "memory" and len(self.memory) > 1:
            return of_blocks(self.memory, 0.0, seed, np.mean)
        return None


def _rate(blocks: Sequence[Mapping[str, Any]]) -> float:
    examples: float = sum(block["examples"] for block in blocks)
    return examples / float(sum(block["seconds"] for block in blocks))


def _memory(groups: Sequence[Sequence[Mapping[str, Any]]], samples: FloatArray) -> tuple[float, ...]:
    """The mean of the samples within each group of blocks, in GiB; a group without any is left out."""
    found = []
    for group in groups:
        starts = np.array([block["start_s"] for block in group])
        ends = starts + np.array([block["seconds"] for block in group])
        inside = ((samples[:, :1] >= starts) & (samples[:, :1] <= ends)).any(axis=1)
        if inside.any():
            found.append(float(samples[inside, 1].mean()) / GIB)
    return tuple(found)

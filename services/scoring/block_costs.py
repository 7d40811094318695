"""The blocks of a cost measurement, out of its provenance: rates and memory, block by block. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from services.scoring.intervals import REPLICATES
from services.scoring.replicates import Replicates, Z, of_blocks

GIB = 2**30
# Blocks of one run say nothing of the next run. The median rate of two calm runs has a coefficient of variation of
# 2.8 %; the mean memory of two runs is taken to agree within 2 % or 1 MiB, whichever is more, in 95 % of cases. (Five
# runs of one small model on one machine lay within 0.07 MiB: this is on the safe side.)
RATE_BETWEEN_RUNS = 0.028
MEMORY_AGREES, LEAST_MEMORY_GIB = 0.02, 1 / 1024


def between_runs(metric: str, value: float, seed: int, count: int = REPLICATES) -> Replicates:
    """How far "throughput" or "memory" of this value would be off in another run of the same model; normal."""
    spread = RATE_BETWEEN_RUNS * value
    if metric == "memory":
        spread = max(MEMORY_AGREES * value, LEAST_MEMORY_GIB) / (Z * 2**0.5)
    draw = np.random.default_rng([seed, *metric.encode()])
    return np.asarray(draw.normal(0.0, spread, count), dtype=np.float32)


@dataclass(frozen=True)
class Blocks:
    """Examples a second of each block, and the mean memory in GiB of each block in which it was sampled."""

    rates: tuple[float, ...]
    memory: tuple[float, ...]

    @classmethod
    def of(cls, provenance: Mapping[str, Any]) -> "Blocks":
        """What a throughput cell keeps: `blocks` (start_s, seconds, examples) and `memory_samples` (seconds, bytes)."""
        blocks = provenance.get("blocks") or ()
        samples = np.array(provenance.get("memory_samples") or (), dtype=np.float64).reshape(-1, 2)
        memory = []
        for block in blocks:
            inside = (samples[:, 0] >= block["start_s"]) & (samples[:, 0] <= block["start_s"] + block["seconds"])
            if inside.any():
                memory.append(float(samples[inside, 1].mean()) / GIB)
        return cls(tuple(block["examples"] / block["seconds"] for block in blocks), tuple(memory))

    def deviations(self, metric: str, seed: int) -> Replicates | None:
        """How far "throughput" (a median over blocks) or "memory" (a mean) could be off; None below two blocks.

        Both draw the same blocks where both have them all, so what slows a block down counts once.
        """
        if metric == "throughput" and len(self.rates) > 1:
            return of_blocks(self.rates, 0.0, seed, np.median)
        if metric == "memory" and len(self.memory) > 1:
            return of_blocks(self.memory, 0.0, seed, np.mean)
        return None

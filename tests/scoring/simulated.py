"""Worlds in which the truth is known: models with true accuracies answer examples, their costs are measured in blocks.

Scored with the code of the platform: shared-seed bootstrap over examples, block bootstrap for costs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from services.scoring.board import Board, FloatArray
from services.scoring.intervals import resampled_sums
from services.scoring.replicates import of_blocks
from services.scoring.uncertainty import Resamples

METRICS = ("performance", "throughput", "memory")
BLOCKS = 6  # of the quick profile


@dataclass(frozen=True, eq=False)
class Truth:
    """`accuracies` in percent, `rates` in examples/s, `memory` in GiB, of each model; `noise` of a block, as a share.

    `discordance` is the share of examples on which two models of equal accuracy differ; small: they err alike.
    """

    accuracies: Sequence[float]
    rates: Sequence[float]
    memory: Sequence[float]
    examples: int = 2_000
    discordance: float = 0.08
    noise: float = 0.02

    @property
    def values(self) -> FloatArray:
        """What is true, shape models × 1 dataset × metrics."""
        return np.stack([self.accuracies, self.rates, self.memory], axis=1)[:, None]


def correct(truth: Truth, draw: np.random.Generator) -> FloatArray:
    """Who is right where, examples × models: shared by all with some chance, else each model's own luck.

    Two models of accuracy a, each of which has its own luck with chance s, differ on (1 - (1-s)²) · 2a(1-a) of them.
    """
    accuracies = np.array(truth.accuracies) / 100
    middle = accuracies.mean()
    own = 1 - np.sqrt(1 - truth.discordance / (2 * middle * (1 - middle)))
    shape = (truth.examples, len(accuracies))
    luck = np.where(draw.random(shape) < own, draw.random(shape), draw.random((truth.examples, 1)))
    return (luck < accuracies).astype(np.float64)


def observed(truth: Truth, right: FloatArray, draw: np.random.Generator) -> tuple[Board, Resamples]:
    """What the platform would know: one dataset, its resamples shared by all models, blocks each model's own."""
    models = right.shape[1]
    sums = resampled_sums(right, int(draw.integers(2**63)))
    accuracy, replicates = 100 * right.mean(axis=0), 100 * sums / len(right)
    deviations = np.zeros((len(METRICS), 1, models, len(sums)), dtype=np.float32)
    deviations[0, 0] = (replicates - accuracy).T
    values = np.zeros((models, 1, len(METRICS)))
    values[:, 0, 0] = accuracy
    for depth, (true, average) in enumerate([(truth.rates, np.median), (truth.memory, np.mean)], start=1):
        for model in range(models):
            blocks = true[model] * (1 + truth.noise * draw.standard_normal(BLOCKS))
            values[model, 0, depth] = average(blocks)
            seed = int(draw.integers(2**63))
            deviations[depth, 0, model] = of_blocks(blocks, 0.0, seed, average)
    return Board(tuple(f"m{model}" for model in range(models)), ("all",), METRICS, values), Resamples(deviations)

"""Is what was timed what was scored? Checks after MLPerf's compliance tests, on every measurement.

TEST01: the timed answers are those of the quality run. TEST04: inputs asked before are not answered faster than new
ones that cost the same, or a cache was timed. TEST05: another selection of inputs gives the same throughput.

Speeds are compared in turns, by the ratios of neighbouring blocks: what slows the machine down slows both. A flag is
raised only when 19 of 24 ratios are beyond a tenth. On a machine so bad that half of an honest model's are, that is by
chance in one of 300 measurements; many short blocks rather than few long ones, so that five may fail and a cheat shows.
"""

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dynaboard.contract import Answer
from dynaboard.errors import ModelFailure
from dynaboard.measurement.driver import timed
from dynaboard.measurement.inputs import stratified
from dynaboard.measurement.statistics import median_interval, quantile
from dynaboard.measurement.unseen import reorderable, reordered
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch

Examples = Sequence[Mapping[str, Any]]
ROUNDS = 24
SPEED_CONFIDENCE = 0.99
# As in MLPerf's TEST04; a second selection may differ as much, for 64 texts are not all texts.
TOLERANCE = 0.10
# Below this share of equal answers a model counts as inconsistent, once that is 99 % sure: padding in other batches
# flips one of a thousand.
LEAST_AGREEMENT = 0.995
AGREEMENT_Z = 2.326
INTERVAL_Z = 1.96
# Enough for any block, few enough to encode in a moment.
MOST_EXAMPLES = 2_048
# Different inputs of a selection: half of a small dataset, so that there is another; fewer have not the same lengths.
MOST_DISTINCT, FEWEST_DISTINCT = 256, 16


class Witness:
    """Keeps what a model answers while it is watched: every different answer to each example."""

    def __init__(self) -> None:
        self.answers: dict[str, set[str]] = defaultdict(set)

    @contextmanager
    def watching(self, predictor: Predictor) -> Iterator["Witness"]:
        """Keep the answers that this predictor checks inside the block."""
        predictor.on_answers = self._note
        try:
            yield self
        finally:
            predictor.on_answers = None

    def _note(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            self.answers[answer.id].add(answer.value)


@dataclass(frozen=True)
class Determinism:
    """Of `compared` examples, how many were always answered as in the quality run; the share with its 95 % interval."""

    compared: int
    equal: int
    share: float
    low: float
    high: float

    @property
    def doubtful(self) -> bool:
        """Whether it is 99 % sure that too many answers differ."""
        return _wilson(self.equal, self.compared, AGREEMENT_Z)[1] < LEAST_AGREEMENT


def determinism(timed_answers: Mapping[str, set[str]], scored: Mapping[str, str]) -> Determinism | None:
    """Compare what was answered when timed with what was scored, by example; None when nothing is in both. Pure."""
    both = timed_answers.keys() & scored.keys()
    if not both:
        return None
    equal = sum(timed_answers[example] == {scored[example]} for example in both)
    low, high = _wilson(equal, len(both), INTERVAL_Z)
    return Determinism(len(both), equal, equal / len(both), low, high)


def _wilson(successes: int, trials: int, z: float) -> tuple[float, float]:
    share, scale = successes / trials, 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / scale
    arm = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale
    return max(middle - arm, 0.0), min(middle + arm, 1.0)


@dataclass(frozen=True)
class SpeedRatio:
    """One kind of input's examples a second over another's: the median of ratios in turns, and its 99 % interval."""

    value: float
    low: float
    high: float
    ratios: tuple[float, ...]


def speed_ratio(ratios: Sequence[float]) -> SpeedRatio:
    """What these ratios tell. Pure."""
    low, high = median_interval(ratios, SPEED_CONFIDENCE)
    return SpeedRatio(quantile(ratios, 0.5), low, high, tuple(ratios))


@dataclass(frozen=True)
class Speeds:
    """`repeated`: inputs asked before over new ones of equal cost. `reselected`: another selection over the first.

    None where the dataset has too few texts to tell, or too short ones. `failure` is what the model said of new texts,
    when it failed on them.
    """

    repeated: SpeedRatio | None = None
    reselected: SpeedRatio | None = None
    failure: str | None = None


def flags_of(speeds: Speeds, found: Determinism | None) -> tuple[str, ...]:
    """The words that go with the numbers (docs/cost-measurement.md). Pure."""
    repeated, reselected = speeds.repeated, speeds.reselected
    raised = {
        "cached": repeated is not None and repeated.low > 1 + TOLERANCE,
        "selective": reselected is not None
        and (reselected.low > 1 + TOLERANCE or reselected.high < 1 / (1 + TOLERANCE)),
        "inconsistent": found is not None and found.doubtful,
        "unchecked": speeds.failure is not None,
    }
    return tuple(flag for flag, is_raised in raised.items() if is_raised)


class Probes:
    """The blocks of one check: inputs asked before, the same reordered, and another selection; all of equal length."""

    def __init__(self, predictor: Predictor, examples: Examples, batch_size: int, length: int) -> None:
        fields = predictor.task.inputs
        usable = [example for example in examples if reorderable(example, fields)]
        self._predictor = predictor
        self._fields = fields
        self._batch_size = min(batch_size, length)
        self._length = length
        self._distinct = min(length, max(len(usable) // 2, 1), MOST_DISTINCT)
        self._known = stratified(usable, self._distinct, fields) if usable else []
        known = {example["id"] for example in self._known}
        self._others = [example for example in usable if example["id"] not in known]

    def known(self) -> list[Batch]:
        """Inputs that come again and again."""
        return self._encoded(self._known)

    def fresh(self, number: int) -> list[Batch]:
        """The same words in orders that were never asked before."""
        texts = itertools.islice(enumerate(itertools.cycle(self._known)), self._length)
        return self._encoded([reordered(example, self._fields, f"{number}-{place}") for place, example in texts])

    def others(self) -> list[Batch]:
        """Another selection of the same lengths; empty where there are too few examples for two that are alike."""
        enough = self._distinct >= FEWEST_DISTINCT
        return self._encoded(stratified(self._others, self._distinct, self._fields)) if enough else []

    def __bool__(self) -> bool:
        return bool(self._known)

    def _encoded(self, examples: Examples) -> list[Batch]:
        filled = list(itertools.islice(itertools.cycle(examples), self._length))
        return list(self._predictor.encoded(filled, self._batch_size))


async def speeds_of(predictor: Predictor, examples: Examples, batch_size: int, rate: float, block_s: float) -> Speeds:
    """Check a model that is warm, on a quiet machine. `rate`: the examples/s to expect; 75 blocks of `block_s`.

    A model that fails on new texts is not failed for it: nobody promised to answer them. Raises PlatformFailure.
    """
    length = min(max(round(rate * block_s), 1), MOST_EXAMPLES)
    probes = Probes(predictor, examples, batch_size, length)
    if not probes:
        return Speeds()
    known, others = probes.known(), probes.others()
    began, repeated, reselected = time.perf_counter(), list[float](), list[float]()
    try:
        for number in range(-1, ROUNDS):  # the first round warms up
            kinds = {"known": known, "fresh": probes.fresh(number), "others": others}
            rates: dict[str, float] = {}
            for kind in _order(number):
                if kinds[kind]:
                    rates[kind] = (await timed(predictor, kinds[kind], began)).rate
            if number >= 0:
                repeated.append(rates["known"] / rates["fresh"])
                reselected += [rates["others"] / rates["known"]] if others else []
    except ModelFailure as failure:
        return Speeds(failure=failure.detail)
    return Speeds(speed_ratio(repeated), speed_ratio(reselected) if others else None)


def _order(number: int) -> Sequence[str]:
    """Each kind is first, second and third equally often, so that a drift of the machine favours none."""
    kinds = ("known", "fresh", "others")
    return tuple(kinds[(place + number) % 3] for place in range(3))

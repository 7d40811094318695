"""What missing work will take, told from what such work took before. Pure; seconds throughout."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from statistics import median

import numpy as np

# A machine that nobody has run anything on: a guess, and the only one here. Ten examples a second, as a small
# transformer on two cores; the first evaluation replaces it.
GUESSED_PACE_S = 0.1
GUESSED_START_S = 5.0
GUESSED_MEASUREMENT_S = 15.0
# A text of half or twice the length counts a quarter as much in telling how long an example takes.
NEARNESS = 2.0


@dataclass(frozen=True)
class Past:
    """One evaluation of a model: so many examples of a mean length in bytes took so many seconds."""

    examples: int
    bytes_each: float
    seconds: float


@dataclass(frozen=True)
class Ending:
    """A whole run of a model: `total_s` from its start to its end, of which `predicting_s` predicting.

    The rest was the model's start and `measured` measurements. `start_s` is the measured cold start, if known.
    """

    total_s: float
    predicting_s: float
    measured: int
    start_s: float | None = None


@dataclass(frozen=True)
class Overheads:
    """What a run costs besides predicting: once a model, and once a measured dataset."""

    start_s: float = GUESSED_START_S
    measurement_s: float = GUESSED_MEASUREMENT_S


def overheads_of(endings: Sequence[Ending]) -> Overheads:
    """Fitted to the runs there were: non-negative, robust to the odd one that waited for something else."""
    useful = [each for each in endings if each.total_s >= each.predicting_s]
    if not useful:
        return Overheads()
    rest = np.array([each.total_s - each.predicting_s for each in useful])
    measured = np.array([each.measured for each in useful], dtype=np.float64)
    if measured.min() < measured.max():
        start, measurement = _line(measured, rest)
        return Overheads(start, measurement)
    starts = [each.start_s for each in useful if each.start_s is not None]
    start = min(median(starts), float(np.median(rest))) if starts else 0.0
    if measured[0] == 0:
        return Overheads(float(np.median(rest)), GUESSED_MEASUREMENT_S)
    return Overheads(start, max(0.0, float(np.median(rest)) - start) / float(measured[0]))


def _line(
    x: np.ndarray[tuple[int, ...], np.dtype[np.float64]], y: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> tuple[float, float]:
    """Intercept and slope, neither negative; the slope is the median of the slopes of all pairs (Theil & Sen)."""
    i, j = np.triu_indices(len(x), 1)
    apart = x[i] != x[j]
    slope = max(0.0, float(np.median((y[j] - y[i])[apart] / (x[j] - x[i])[apart])))
    return max(0.0, float(np.median(y - slope * x))), slope


def predicting_seconds(pasts: Sequence[Past], examples: int, bytes_each: float) -> float:
    """How long a model will predict so many examples: its own pace on what is most like them.

    A fixed part for each text and one for each example are told apart where its texts differ in size; the latter is
    weighed by how near in length their examples were.
    """
    pasts = [past for past in pasts if past.examples and past.seconds]
    if not pasts:
        return examples * GUESSED_PACE_S
    counts = np.array([past.examples for past in pasts], dtype=np.float64)
    seconds = np.array([past.seconds for past in pasts])
    fixed = 0.0
    if counts.max() >= 2 * counts.min():
        fixed = min(_line(counts, seconds)[0], float(seconds.min()))
    weights = np.array([_nearness(past.bytes_each, bytes_each) for past in pasts])
    pace = float((weights * (seconds - fixed)).sum() / (weights * counts).sum())
    return fixed + examples * pace


def _nearness(one: float, other: float) -> float:
    if one <= 0 or other <= 0:
        return 1.0
    return 1.0 / (1.0 + (NEARNESS * (log(one) - log(other))) ** 2)


def sentence(models: int, texts: int, seconds: float, evaluators: int) -> str:
    """`47 models × 1 dataset, about 3 h on 2 evaluators`."""
    if not models:
        return "Nothing is missing."
    pairs = f"{_counted(models, 'model')} × {_counted(texts, 'dataset')}"
    return f"{pairs}, about {lasting(seconds / max(1, evaluators))} on {_counted(evaluators, 'evaluator')}"


def lasting(seconds: float) -> str:
    """Seconds as people say them: `40 s`, `7 min`, `3 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

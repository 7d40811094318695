"""Bootstrap intervals: right on average, the same every time, shared by all models."""

from time import process_time

import numpy as np
import pytest
from scipy import stats

from dynaboard.nlp_tasks import TASKS
from services.scoring.intervals import estimates, resampled_sums, seed_of, within
from services.scoring.metrics import METRICS
from services.scoring.metrics.answers import Answers

NLI = TASKS["nli"].labels
DIGEST = "sha256:" + "5f" * 32


def _answers(count: int, accuracy: float = 0.8) -> Answers:
    draw = np.random.default_rng(1)
    labels = draw.integers(0, 3, count)
    predicted = np.where(draw.random(count) < accuracy, labels, draw.integers(0, 3, count))
    scores = draw.dirichlet([1, 1, 1], count)
    return Answers([NLI[index] for index in predicted], [[NLI[index]] for index in labels], NLI, scores)


def _estimates(answers: Answers) -> dict[str, tuple[float, float, float]]:
    found = estimates(list(METRICS.values()), answers, seed_of(DIGEST))
    return {estimate.metric.name: (estimate.low, estimate.value, estimate.high) for estimate in found}


def test_every_metric_that_applies_has_its_value_within_its_interval() -> None:
    found = _estimates(_answers(300))
    assert set(found) == {"accuracy", "macro_f1", "auroc", "calibration_error", *(f"f1_{label}" for label in NLI)}
    for low, value, high in found.values():
        assert low < value < high


def test_an_interval_never_leaves_what_its_metric_can_be() -> None:
    count = 40
    labels = [NLI[place % 3] for place in range(count)]
    # Nearly always sure and right, so that resampled shares of the AUROC pass 100 and of the calibration error 0.
    sure = np.full((count, 3), 0.01)
    sure[np.arange(count), np.arange(count) % 3] = 0.98
    sure[:2] = [[0.4, 0.35, 0.25], [0.45, 0.4, 0.15]]
    predicted = [NLI[int(row)] for row in sure.argmax(axis=1)]
    answers = Answers(predicted, [[label] for label in labels], NLI, sure)
    found = estimates(list(METRICS.values()), answers, seed_of(DIGEST))
    shares = next(estimate for estimate in found if estimate.metric.name == "auroc")
    assert shares.replicates is not None
    assert shares.replicates.max() > 100, "the resamples themselves stay as they are"
    assert shares.high == 100
    assert all(0 <= estimate.low <= estimate.value <= estimate.high <= 100 for estimate in found)


@pytest.mark.parametrize(
    ("unit", "value", "end", "kept"),
    [("%", 97.0, 100.3, 100.0), ("%", 1.0, -0.2, 0.0), ("%", 120.0, 130.0, 130.0), ("points", 1.0, -3.0, -3.0)],
)
def test_ends_are_kept_to_the_range_of_shares_alone(unit: str, value: float, end: float, kept: float) -> None:
    assert within(unit, value, end) == kept


def test_the_interval_of_accuracy_is_that_of_the_binomial() -> None:
    low, value, high = _estimates(_answers(2_000))["accuracy"]
    half = 100 * 1.96 * np.sqrt(value / 100 * (1 - value / 100) / 2_000)
    assert low == pytest.approx(value - half, abs=0.15)
    assert high == pytest.approx(value + half, abs=0.15)


def test_the_interval_of_macro_f1_is_that_of_scipy() -> None:
    answers = _answers(400)
    predicted, labels = (np.array(column) for column in (answers.predictions, [row[0] for row in answers.references]))

    def macro_f1(rows: np.ndarray) -> float:
        sample = Answers([predicted[row] for row in rows], [[labels[row]] for row in rows], NLI)
        return METRICS["macro_f1"].compute(sample) or 0.0

    theirs = stats.bootstrap(
        (np.arange(400),),
        macro_f1,
        n_resamples=500,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    low, _, high = _estimates(answers)["macro_f1"]
    assert low == pytest.approx(theirs.low, abs=0.8)
    assert high == pytest.approx(theirs.high, abs=0.8)


def test_the_interval_of_auroc_is_that_of_resampling_it() -> None:
    answers = _answers(300)
    assert answers.probabilities is not None
    draw, values = np.random.default_rng(3), []
    for _ in range(600):
        rows = draw.integers(0, 300, 300)
        sample = Answers(
            [answers.predictions[row] for row in rows],
            [answers.references[row] for row in rows],
            NLI,
            answers.probabilities[rows],
        )
        values.append(METRICS["auroc"].compute(sample))
    low, _, high = _estimates(answers)["auroc"]
    expected_low, expected_high = np.percentile(np.array(values, dtype=float), [2.5, 97.5])
    assert low == pytest.approx(expected_low, abs=1.0)  # the standard error of an end is about 0.3
    assert high == pytest.approx(expected_high, abs=1.0)


def test_the_same_dataset_gives_the_same_bytes() -> None:
    assert _estimates(_answers(100)) == _estimates(_answers(100))


def test_models_share_the_resamples_of_a_dataset_so_twins_never_differ() -> None:
    one, other = (resampled_sums(np.arange(50.0)[:, None], seed) for seed in (seed_of(DIGEST), seed_of("5f" * 32)))
    np.testing.assert_array_equal(one, other)


def test_blocks_do_not_change_the_draws() -> None:
    statistics = np.random.default_rng(0).integers(0, 2, (30_000, 2)).astype(float)
    many, few = resampled_sums(statistics, 7, 100), resampled_sums(statistics, 7, 10)
    np.testing.assert_array_equal(many[:10], few)


def test_a_resample_has_as_many_examples() -> None:
    assert (resampled_sums(np.ones((17, 1)), 7) == 17).all()


def test_no_example_no_estimate() -> None:
    assert estimates(list(METRICS.values()), Answers([], [], NLI), 1) == []


def test_fifty_thousand_examples_take_less_than_a_second_of_an_idle_machine() -> None:
    answers = _answers(50_000)
    metrics = [METRICS["accuracy"], METRICS["macro_f1"]]
    start = process_time()
    estimates(metrics, answers, 7)
    assert process_time() - start < 3, "0.3 s on an idle machine; a busy one is slower"

"""Predictions handed in without a model: held against the same contract, stored in the same form, never measured."""

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlalchemy import func, select

from dynaboard.errors import ModelFailure
from dynaboard.status import Status
from dynaboard.tables import Dataset, Measurement
from services.evaluator.bench import Bench
from services.evaluator.prediction_only import wanted
from tests.evaluator.world import World, statements


def answers(count: int) -> list[dict[str, Any]]:
    """A right answer to each of `statements(count)`."""
    return [{"id": item["id"], "label": item["label"], "prob": {item["label"]: 1}} for item in statements(count)]


def dataset(name: str, role: str) -> Dataset:
    """A row that is not stored."""
    return Dataset(name=name, role=role)


def test_predictions_are_stored_like_a_models_and_cost_nothing(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("reviews", statements(50))
    world.add_dataset("talk", statements(5), role="standard")
    submission_id = world.submit_predictions({"reviews": answers(50)[::-1]})

    work()

    assert world.submission(submission_id).status == Status.PREDICTED
    (evaluation,) = world.evaluations(submission_id).values()
    assert (evaluation.status, evaluation.done, evaluation.provenance["verified"]) == ("finished", 50, False)
    table = pq.read_table(io.BytesIO(bench.storage.get(evaluation.predictions_key or "")))
    assert table["id"].to_pylist() == [item["id"] for item in statements(50)]
    assert table["label"].to_pylist() == [item["label"] for item in statements(50)]
    assert table["prob_positive"].to_pylist()[:3] == [1.0, 0.0, 0.0]
    with bench.database.begin() as db:
        assert db.scalar(select(func.count()).select_from(Measurement)) == 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            answers(4),
            "On reviews: reviews.jsonl, number 5: this example of the dataset has no answer; every example needs one.",
        ),
        (answers(6), "On reviews: reviews.jsonl answers more than the 5 examples of the dataset; remove the others."),
        ([*answers(5), *answers(1)], "On reviews: reviews.jsonl, line 6: the example 'x0' is answered twice."),
        (
            [{"label": "positive"}],
            'On reviews: reviews.jsonl, line 1 must be an object with an "id", that of the example.',
        ),
        (
            [*answers(4), {"id": "x4", "label": "good"}],
            "On reviews: example x4 (number 5): the label 'good' is not one of positive, negative, neutral.",
        ),
    ],
)
def test_a_file_must_answer_every_example_once_and_nothing_else(
    given: list[dict[str, Any]], sentence: str, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("reviews", statements(5))
    submission_id = world.submit_predictions({"reviews": given})

    work()

    submission = world.submission(submission_id)
    assert (submission.status, submission.failure, submission.reason) == (Status.FAILED, "model", sentence)


def test_every_ranked_dataset_needs_predictions_and_the_missing_ones_are_named() -> None:
    known = [dataset("a", "scoring"), dataset("b", "scoring"), dataset("c", "standard"), dataset("d", "hidden")]
    with pytest.raises(ModelFailure, match=r"lacks predictions/a\.jsonl, predictions/b\.jsonl; every ranked"):
        wanted(known, ["c"])
    with pytest.raises(ModelFailure, match=r"no dataset named d; remove predictions/d\.jsonl"):
        wanted(known, ["a", "b", "d"])
    assert [item.name for item in wanted(known, ["c", "b", "a"])] == ["a", "b", "c"]


def numbered(count: int, **change: Any) -> list[dict[str, Any]]:
    """A right answer to each of `statements(count)`, by the numbers under which inputs are handed out."""
    return [{"id": str(number), "label": item["label"]} | change for number, item in enumerate(statements(count))]


def dated(world: World, opens: int, releases: int) -> None:
    """A set of five whose inputs open and whose labels are released so many days from now."""
    days = [datetime.now(UTC) + timedelta(days=number) for number in (opens, releases)]
    world.add_dataset("ami", statements(5), unlabelled_from=days[0], released_from=days[1])


def test_predictions_for_unlabelled_inputs_name_their_numbers(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    dated(world, -1, 1)
    submission_id = world.submit_predictions({"ami": numbered(5)[::-1]})
    work()
    assert world.submission(submission_id).status == Status.PREDICTED
    (evaluation,) = world.evaluations(submission_id).values()
    table = pq.read_table(io.BytesIO(bench.storage.get(evaluation.predictions_key or "")))
    assert table["id"].to_pylist() == [item["id"] for item in statements(5)]


def test_a_wrong_prediction_for_unlabelled_inputs_is_named_by_its_number_alone(
    world: World, work: Callable[[], None]
) -> None:
    dated(world, -1, 1)
    submission_id = world.submit_predictions({"ami": numbered(5, label="good")})
    work()
    reason = world.submission(submission_id).reason
    assert reason == "On ami: example number 1: the label 'good' is not one of positive, negative, neutral."


def test_predictions_before_the_inputs_are_open_find_no_such_set(world: World, work: Callable[[], None]) -> None:
    dated(world, 1, 2)
    submission_id = world.submit_predictions({"ami": numbered(5)})
    work()
    reason = world.submission(submission_id).reason
    assert reason == "The task has no dataset named ami; remove predictions/ami.jsonl."

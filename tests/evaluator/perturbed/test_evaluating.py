"""A submission on perturbed copies: made once, only changed texts run, resumed like everything else."""

import asyncio
import gzip
import io
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select

from dynaboard.database import Database
from dynaboard.identity import Caller, Role
from dynaboard.perturbed_copy import copy_key
from dynaboard.status import Status
from dynaboard.storage import Storage
from dynaboard.tables import Dataset, Model, PerturbedCopy
from dynaboard.task import Task
from services.evaluator.bench import Bench, Order
from services.evaluator.jobs import evaluate
from services.evaluator.perturbations.robustness.textflint import KINDS
from services.evaluator.perturbed.copies import Copies, copies_of, make_copy
from services.evaluator.perturbed.recipe import Recipe
from services.evaluator.progress import Progress
from services.evaluator.views import progress_view
from tests.evaluator.test_killed_evaluator import evaluator, swept_until
from tests.evaluator.world import GOOD, SENTIMENT, SLOW, World, statements, wait_until

TEXTFLINT = os.environ.get("DYNABOARD_TEXTFLINT_PYTHON", "")


@pytest.fixture
def bench(bench: Bench) -> Bench:
    """Scoring datasets have perturbed copies, as everywhere but in the other tests."""
    return replace(bench, settings=bench.settings.model_copy(update={"perturbed_roles": ("scoring",)}))


def copies(bench: Bench) -> dict[str, PerturbedCopy]:
    with bench.database.begin() as db:
        return {copy.suite: copy for copy in db.scalars(select(PerturbedCopy))}


def ids(bench: Bench, key: str | None) -> list[str]:
    table = pq.read_table(io.BytesIO(bench.storage.get(key or "")))
    return [str(identifier) for identifier in table["id"].to_pylist()]


def test_a_model_is_run_on_the_variants_and_on_nothing_that_did_not_change(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("reviews", statements(30, "it is not"))
    world.add_dataset("talk", statements(5), role="standard")
    submission_id = world.submit(GOOD)

    work()

    assert world.submission(submission_id).status == Status.PREDICTED
    copy = copies(bench)["robustness"]
    found = world.evaluations(submission_id, "robustness")
    assert set(found) == {"reviews"}
    evaluation = found["reviews"]
    assert (evaluation.status, evaluation.perturbation_digest) == ("finished", copy.digest)
    assert evaluation.done == evaluation.total == copy.variants == len(ids(bench, evaluation.predictions_key))
    manifest = copy.manifest
    assert manifest["variants"] + manifest["spared"] == 30 * len(manifest["kinds"])
    assert manifest["kinds"]["Keyboard"] == 30
    assert evaluation.provenance["spared"] == manifest["spared"]
    assert evaluation.provenance["perturbation_digest"] == copy.digest
    stored = gzip.decompress(bench.storage.get(copy_key(copy.digest)))
    assert sha256(stored).hexdigest() == copy.digest


def test_the_view_shows_the_copies_and_the_saving(bench: Bench, world: World, work: Callable[[], None]) -> None:
    world.add_dataset("reviews", [*statements(10), {"id": "loud", "statement": "LOUD FILM", "label": "neutral"}])
    submission_id = world.submit(GOOD)
    work()
    with bench.database.begin() as db:
        row = world.submission(submission_id)
        view = progress_view(db, row, db.get_one(Model, row.model_id), Caller("ada", Role.SUBMITTER))
    shown = {each.perturbation: each for each in view.evaluations}
    assert shown[""].spared is None
    assert (shown["robustness"].spared or 0) >= 1  # in capitals already
    assert shown["robustness"].done == shown["robustness"].total


def test_a_copy_is_made_once_and_shared_by_all_models(bench: Bench, world: World, work: Callable[[], None]) -> None:
    world.add_dataset("reviews", statements(10))
    first, second = world.submit(GOOD), world.submit(GOOD)
    work()
    digests = {
        world.evaluations(submission_id, "robustness")["reviews"].perturbation_digest
        for submission_id in (first, second)
    }
    assert digests == {copies(bench)["robustness"].digest}


def test_two_who_need_a_copy_at_the_same_time_make_it_once(
    bench: Bench, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = world.add_dataset("reviews", statements(10))
    submission = world.submission(world.submit(GOOD, queue=False))
    order = Order(submission, SENTIMENT, Progress(bench.database, submission.id, 60), tmp_path)
    made: list[str] = []

    def slowly(bench: Bench, task: Task, dataset: Dataset, recipe: Recipe, stopped: Callable[[], bool]) -> Any:
        made.append(recipe.suite)
        time.sleep(0.2)  # the other one has looked meanwhile
        return make_copy(bench, task, dataset, recipe, stopped)

    async def both() -> list[Copies]:
        return await asyncio.gather(*(copies_of(bench, order, [dataset]) for _ in range(2)))

    monkeypatch.setattr("services.evaluator.perturbed.copies.make_copy", slowly)
    one, other = asyncio.run(both())
    assert sorted(made) == sorted(SENTIMENT.suites)
    assert [copy.digest for copy in one[dataset.id]] == [copy.digest for copy in other[dataset.id]]


def test_a_copy_without_a_variant_is_recorded_and_not_run(bench: Bench, world: World, work: Callable[[], None]) -> None:
    world.add_dataset("weather", [{"id": "w", "statement": "rain", "label": "neutral"}])
    submission_id = world.submit(GOOD)
    work()
    assert world.submission(submission_id).status == Status.PREDICTED
    assert copies(bench)["fairness"].variants == 0
    assert world.evaluations(submission_id, "fairness") == {}


def test_predictions_alone_have_no_perturbed_copies(bench: Bench, world: World, work: Callable[[], None]) -> None:
    examples = statements(4)
    world.add_dataset("reviews", examples)
    answers = [{"id": example["id"], "label": example["label"]} for example in examples]
    submission_id = world.submit_predictions({"reviews": answers})
    work()
    assert world.submission(submission_id).status == Status.PREDICTED
    assert world.evaluations(submission_id, "robustness") == {}
    assert copies(bench) == {}


def test_another_seed_makes_another_copy_beside_the_first(bench: Bench, world: World) -> None:
    world.add_dataset("reviews", statements(10))
    evaluate(bench, world.submit(GOOD, queue=False))
    reseeded = replace(bench, settings=bench.settings.model_copy(update={"perturbation_seed": 2}))
    evaluate(reseeded, world.submit(GOOD, queue=False))
    with bench.database.begin() as db:
        found = db.scalars(select(PerturbedCopy).where(PerturbedCopy.suite == "robustness")).all()
    assert len({copy.digest for copy in found}) == len({copy.recipe for copy in found}) == 2


@pytest.mark.skipif(not TEXTFLINT, reason="DYNABOARD_TEXTFLINT_PYTHON names no interpreter with TextFlint")
def test_a_model_is_run_on_the_variants_of_textflint_where_the_settings_say_so(bench: Bench, world: World) -> None:
    world.add_dataset("reviews", statements(10, "The film is not good, it is"))
    chosen = {"perturbation_engine": "textflint", "textflint_python": Path(TEXTFLINT)}
    submission_id = world.submit(GOOD, queue=False)

    evaluate(replace(bench, settings=bench.settings.model_copy(update=chosen)), submission_id)

    copy = copies(bench)["robustness"]
    assert copy.manifest["engine"] == "textflint"
    assert copy.manifest["perturbations"] == dict.fromkeys(KINDS, "0.1.0")
    assert copy.manifest["kinds"] == dict.fromkeys(KINDS, 10)
    evaluation = world.evaluations(submission_id, "robustness")["reviews"]
    assert (evaluation.status, evaluation.done) == ("finished", copy.variants)
    assert evaluation.perturbation_digest == copy.digest
    assert copies(bench)["fairness"].manifest["engine"] == "builtin"


def test_a_killed_evaluator_resumes_within_a_copy(
    platform: dict[str, Any], world: World, storage: Storage, database: Database, tmp_path: Path
) -> None:
    values = platform | {"measurement_profile": "tiny", "chunk_examples": 10, "heartbeat_timeout_s": 1.0}
    world.add_dataset("reviews", statements(12, "waits"))
    submission_id = world.submit(SLOW, batch_size=2)

    def chunks() -> list[str]:
        row = world.evaluations(submission_id, "robustness").get("reviews")
        return storage.keys(f"predictions/{row.id}/") if row else []

    with evaluator(values, tmp_path / "log") as killed:
        wait_until(lambda: len(chunks()) >= 2, seconds=60)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    with evaluator(values, tmp_path / "log"):
        swept_until(lambda: world.submission(submission_id).status == Status.PREDICTED, values, database)

    evaluation = world.evaluations(submission_id, "robustness")["reviews"]
    table = pq.read_table(io.BytesIO(storage.get(evaluation.predictions_key or "")))
    assert len(set(table["id"].to_pylist())) == table.num_rows == evaluation.total

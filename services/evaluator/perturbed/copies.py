"""The perturbed copies of datasets: found under their recipe, or made on first need."""

import asyncio
import gzip
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from tempfile import TemporaryFile
from threading import Event
from typing import Any, BinaryIO

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from dynaboard.advisory_locks import waited_for
from dynaboard.cell_order import in_order
from dynaboard.errors import PlatformFailure
from dynaboard.perturbed_copy import copy_key
from dynaboard.phases import counts
from dynaboard.storage import dataset_key
from dynaboard.tables import Dataset, PerturbedCopy
from dynaboard.task import Task
from services.evaluator.bench import Bench, Order
from services.evaluator.datasets.canonical import read_examples
from services.evaluator.perturbed.making import WORTH_PROCESSES, Tally, Workers, make_parts
from services.evaluator.perturbed.recipe import SUITES, Recipe, recipe_of
from services.evaluator.settings import EvaluatorSettings

Copies = dict[str, list[PerturbedCopy]]


async def copies_of(bench: Bench, order: Order, datasets: Sequence[Dataset]) -> Copies:
    """The copies that models are run on, by dataset id; what is not there yet is made now.

    No model runs meanwhile. Nothing is measured on this machine while a copy is made, so the numbers stay true.
    """
    found: Copies = {}
    for dataset in datasets:
        if recipes := recipes_of(bench.settings, order.task, dataset):
            found[dataset.id] = [await _copy(bench, order, dataset, recipe) for recipe in recipes]
    return found


def recipes_of(settings: EvaluatorSettings, task: Task, dataset: Dataset) -> list[Recipe]:
    """After which copies of a dataset are made; none where it has none."""
    # Of a question they leave the answers alone, and a model may write down what it sees.
    telling = task.kind == "span" and not counts(dataset)
    if dataset.role not in settings.perturbed_roles or telling:
        return []
    return [recipe_of(settings, suite, task) for suite in SUITES if suite in task.suites]


async def _copy(bench: Bench, order: Order, dataset: Dataset, recipe: Recipe) -> PerturbedCopy:
    found = await asyncio.to_thread(find_copy, bench, dataset.digest, recipe)
    if found is not None:
        return found
    title = "a hidden dataset" if dataset.role == "hidden" else dataset.name
    order.progress.say(f"Making the {recipe.suite} copy of {title}")
    async with waited_for(bench.database.url, f"copy {dataset.digest} {recipe.digest}"):
        made = await asyncio.to_thread(find_copy, bench, dataset.digest, recipe)
        return made or await _made(bench, order, dataset, recipe)


async def _made(bench: Bench, order: Order, dataset: Dataset, recipe: Recipe) -> PerturbedCopy:
    stopped = Event()
    try:
        async with bench.slot.shared(bench.here, bench.settings.max_evaluation_hours * 3600):
            return await asyncio.to_thread(make_copy, bench, order.task, dataset, recipe, stopped.is_set)
    finally:
        stopped.set()


def find_copy(bench: Bench, dataset_digest: str, recipe: Recipe) -> PerturbedCopy | None:
    """The stored copy of a dataset under a recipe, if it was made."""
    key = {"dataset_digest": dataset_digest, "suite": recipe.suite, "recipe": recipe.digest}
    with bench.database.begin() as db:
        return db.scalars(select(PerturbedCopy).filter_by(**key)).one_or_none()


def make_copy(bench: Bench, task: Task, dataset: Dataset, recipe: Recipe, stopped: Callable[[], bool]) -> PerturbedCopy:
    """Make and store a copy; whoever makes it, wherever, makes the same bytes.

    Raises PlatformFailure once `stopped()`, with nothing recorded.
    """
    processes = bench.settings.perturbation_processes if dataset.examples >= WORTH_PROCESSES else 1
    workers = Workers(processes, bench.settings.textflint_python)
    with closing(bench.storage.open(dataset_key(dataset.digest))) as body, TemporaryFile() as packed:
        parts = make_parts(task, recipe, read_examples(body), workers, stopped)
        tally, digest = Tally(), sha256()
        _write(packed, (_counted(part, tally, digest.update) for part in parts))
        if tally.examples != dataset.examples:
            raise PlatformFailure(f"Making the {recipe.suite} copy of {dataset.name} was stopped before its end.")
        packed.seek(0)
        if not bench.storage.exists(copy_key(digest.hexdigest())):
            bench.storage.put_file(copy_key(digest.hexdigest()), packed)
    row = {
        "dataset_digest": dataset.digest,
        "suite": recipe.suite,
        "recipe": recipe.digest,
        "digest": digest.hexdigest(),
        "variants": tally.variants,
        "manifest": {"dataset_digest": dataset.digest} | recipe.described() | tally.described(),
    }
    with bench.database.begin() as db:
        in_order(db)
        db.execute(insert(PerturbedCopy).on_conflict_do_nothing(), row)
    made = find_copy(bench, dataset.digest, recipe)
    assert made is not None
    return made


def _counted(part: tuple[list[bytes], Tally], tally: Tally, update: Callable[[bytes], Any]) -> bytes:
    lines, counts = part
    tally.add(counts)
    text = b"".join(lines)
    update(text)
    return text


def _write(target: BinaryIO, texts: Iterator[bytes]) -> None:
    """Gzip with nothing of the time or the machine in it."""
    with gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0) as packed:
        for text in texts:
            packed.write(text)

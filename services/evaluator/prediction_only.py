"""Evaluates a prediction-only submission: no model runs, its files are held against the same contract."""

import asyncio
from collections.abc import Iterable

from dynaboard import __version__
from dynaboard.errors import ModelFailure
from dynaboard.phases import has_schedule, labels_are_open
from dynaboard.tables import Dataset, now
from services.evaluator.answer_file import answers_in
from services.evaluator.archives import fetch_archive, parcel_of
from services.evaluator.bench import Bench, LocalExamples, Order
from services.evaluator.plan import FINISHED, make_plan, open_datasets
from services.evaluator.recording import change, record


def wanted(datasets: Iterable[Dataset], given: Iterable[str]) -> list[Dataset]:
    """The datasets that a submission with predictions for `given` is evaluated on: all that rank, and those it adds.

    Raises ModelFailure, naming the ranked datasets it lacks, or the names that are none of the task's.
    """
    public = [dataset for dataset in datasets if dataset.role != "hidden"]
    given = set(given)
    missing = sorted({dataset.name for dataset in public if dataset.role == "scoring"} - given)
    if missing:
        files = ", ".join(f"predictions/{name}.jsonl" for name in missing)
        raise ModelFailure(f"The archive lacks {files}; every ranked dataset needs its predictions.")
    unknown = sorted(given - {dataset.name for dataset in public})
    if unknown:
        raise ModelFailure(f"The task has no dataset named {unknown[0]}; remove predictions/{unknown[0]}.jsonl.")
    return [dataset for dataset in public if dataset.name in given]


async def evaluate_predictions(bench: Bench, order: Order) -> None:
    """Check and store what the archive holds. There is no cost to measure."""
    order.progress.say("Reading the predictions")
    folder = order.scratch / "submission"
    contents = await asyncio.to_thread(fetch_archive, parcel_of(bench.storage, order.archive), folder, lambda: False)
    datasets = wanted(await asyncio.to_thread(open_datasets, bench.database, order.task.name), contents.datasets)
    for unit in await asyncio.to_thread(make_plan, bench.database, order.submission, datasets):
        if unit.evaluation.status == FINISHED:
            continue
        examples = LocalExamples(bench, order, unit.dataset)
        await asyncio.to_thread(examples.fetch)
        file = folder / "predictions" / f"{unit.dataset.name}.jsonl"
        provenance = {
            "model_digest": order.digest,
            "dataset_digest": unit.dataset.digest,
            "verified": False,
            "dynaboard": __version__,
        }
        numbered = has_schedule(unit.dataset) and not labels_are_open(unit.dataset)
        source = answers_in(file, order.task, examples, unit.dataset.examples, numbered=numbered)
        await record(bench, order, unit, source, provenance)
        await asyncio.to_thread(change, bench, unit, status=FINISHED, finished_at=now())
        examples.discard()

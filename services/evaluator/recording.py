"""Predictions of one dataset, recorded so that a crash loses at most one chunk and doubles nothing."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from sqlalchemy import update

from dynaboard.contract import Answer, BrokenContract
from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.phases import labels_are_open
from dynaboard.tables import Evaluation, now
from dynaboard.telemetry import EVALUATION_EXAMPLES_DONE, EXAMPLES
from services.evaluator.bench import Bench, Order
from services.evaluator.plan import FINISHED, PREDICTED, RUNNING, Unit
from services.evaluator.predictions import Chunks, predictions_key
from services.evaluator.progress import Count

# Answers to the examples from a position on, in order, some at a time. A BrokenContract counts from the first example.
Source = Callable[[int], AsyncGenerator[list[Answer]]]


async def record(bench: Bench, order: Order, unit: Unit, source: Source, provenance: dict[str, Any]) -> None:
    """Store the answers to one whole dataset or copy, continuing after those that are stored already.

    Raises ModelFailure, naming the dataset, and PlatformFailure when the store does not hold every example once.
    """
    chunks = Chunks(bench.storage, order.task, unit.evaluation.id)
    number, done = await asyncio.to_thread(chunks.stored)
    await asyncio.to_thread(change, bench, unit, status=RUNNING, done=done)
    count = order.progress.begin(unit, done)
    try:
        await _store(chunks, number, source(done), bench.settings.chunk_examples, count)
    except ModelFailure as failure:
        raise located(failure, unit) from failure
    digest, rows = await asyncio.to_thread(chunks.merge, order.scratch / f"{unit.evaluation.id}.parquet")
    if rows != unit.evaluation.total:
        raise PlatformFailure(f"{rows} predictions are stored for the {unit.evaluation.total} texts of {unit.title}.")
    stored = {"predictions_key": predictions_key(unit.evaluation.id), "predictions_digest": digest}
    values = {"status": PREDICTED, "done": rows, "seconds": count.seconds, "provenance": provenance, **stored}
    await asyncio.to_thread(change, bench, unit, **values)
    await asyncio.to_thread(chunks.delete)


async def _store(chunks: Chunks, number: int, batches: AsyncGenerator[list[Answer]], size: int, count: Count) -> None:
    """Write the answers as they come in chunks of `size`, the first one as chunk `number`; the last may be shorter."""
    pending: list[Answer] = []
    async with aclosing(batches):
        async for answers in batches:
            pending += answers
            count.done += len(answers)
            EVALUATION_EXAMPLES_DONE.set(count.done)
            EXAMPLES.labels(chunks.task.name).inc(len(answers))
            while len(pending) >= size:
                await asyncio.to_thread(chunks.write, number, pending[:size])
                del pending[:size]
                number += 1
    if pending:
        await asyncio.to_thread(chunks.write, number, pending)


def change(bench: Bench, unit: Unit, **values: Any) -> None:
    """Write columns of an evaluation that is not finished."""
    statement = update(Evaluation).where(Evaluation.id == unit.evaluation.id, Evaluation.status != FINISHED)
    with bench.database.begin() as db:
        db.execute(statement.values(**values, updated_at=now()))


def located(failure: ModelFailure, unit: Unit) -> ModelFailure:
    """A failure with the dataset in its sentence. What a model says about hidden examples is not passed on."""
    number = failure.position + 1 if isinstance(failure, BrokenContract) else None
    if unit.dataset.role == "hidden":
        where = f" at its example {number}" if number else ""
        return ModelFailure(f"The model failed on a hidden dataset{where}; what it said could give examples away.")
    if isinstance(failure, BrokenContract):
        # In SNLI and MultiNLI an id ends in the label's letter.
        named = labels_are_open(unit.dataset)
        example = f"example {failure.example_id} (number {number})" if named else f"example number {number}"
        return ModelFailure(f"On {unit.title}, {example}: {failure.complaint}.")
    return ModelFailure(f"On {unit.title}: {failure.detail}")

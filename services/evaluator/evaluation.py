"""Evaluates a submitted model: deploy it, try it out, predict every dataset, measure its cost, stop it."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from typing import Any

from dynaboard import __version__
from dynaboard.contract import Answer, BrokenContract
from dynaboard.errors import ModelFailure
from dynaboard.runtime import Predictor
from dynaboard.runtime.trial_examples import trial_batches
from dynaboard.tables import now
from services.evaluator.bench import Bench, LocalExamples, Order
from services.evaluator.cost import measure_cost
from services.evaluator.deployers import Deployment
from services.evaluator.deployers.purpose import EVALUATED
from services.evaluator.perturbed.copies import copies_of
from services.evaluator.perturbed.examples import LocalVariants
from services.evaluator.plan import FINISHED, Unit, make_plan, open_datasets, saving
from services.evaluator.recording import Source, change, located, record
from services.evaluator.running_models import predicted, timed

LOG_BYTES = 1024**2


async def evaluate_model(bench: Bench, order: Order) -> None:
    """Do what is left to do for a submitted model. The model is always stopped, and its log stored."""
    datasets = await asyncio.to_thread(open_datasets, bench.database, order.task.name)
    copies = await copies_of(bench, order, datasets)
    units = await asyncio.to_thread(make_plan, bench.database, order.submission, datasets, copies)
    left = [unit for unit in units if unit.evaluation.status != FINISHED]
    if left or not units:
        await run_model(bench, order, left)


async def run_model(bench: Bench, order: Order, units: list[Unit]) -> None:
    """Start the model, have it do these, and stop it. Raises ModelFailure; what was done until then stays."""
    deployment = bench.deployer.start(order.archive, EVALUATED)
    bench.models.add(deployment, EVALUATED)
    logged = LogOnce(bench, order, deployment)
    try:
        await asyncio.to_thread(deployment.settle, order.progress.say)
        order.progress.say("Starting the model")
        await asyncio.to_thread(deployment.fetch)
        async with bench.slot.exclusive(deployment.place):  # the cold start is a measurement too
            await asyncio.to_thread(deployment.wait_ready)
        async with timed(deployment.predictor(order.task), EVALUATED) as predictor:
            await _try_out(order, predictor, deployment.manifest.batch_size)
            for unit in units:
                if unit.dataset.role == "hidden":
                    await logged.store()
                order.progress.unit = unit
                with predicted(unit):
                    await _evaluate(bench, order, unit, deployment, predictor)
    finally:
        try:
            await logged.store()
        finally:
            bench.models.remove(deployment, EVALUATED)
            await asyncio.to_thread(deployment.stop)


class LogOnce:
    """Stores the model's log for its owner once: at the end, or before the model sees a hidden dataset."""

    def __init__(self, bench: Bench, order: Order, deployment: Deployment) -> None:
        self._bench = bench
        self._key = log_key(order.submission.id)
        self._deployment = deployment
        self._stored = False

    async def store(self) -> None:
        """Store the last mebibyte, unless that has been done."""
        if not self._stored:
            self._stored = True
            text = await asyncio.to_thread(self._deployment.log, LOG_BYTES)
            await asyncio.to_thread(self._bench.storage.put, self._key, text)


def log_key(submission_id: str) -> str:
    """Where a submission's log lies."""
    return f"logs/{submission_id}.log"


async def _try_out(order: Order, predictor: Predictor, batch_size: int) -> None:
    """The examples `dynaboard check` sends, so that a broken model fails in seconds and with the same sentence."""
    order.progress.say("Trying the model on a few examples")
    try:
        for batch in trial_batches(order.task, batch_size):
            await predictor.predict(batch)
    except ModelFailure as failure:
        raise ModelFailure(f"In the trial before the evaluation: {failure.detail}") from failure


async def _evaluate(bench: Bench, order: Order, unit: Unit, deployment: Deployment, predictor: Predictor) -> None:
    examples = LocalExamples(bench, order, unit.dataset)
    texts = examples if unit.copy is None else LocalVariants(bench, order, unit.dataset, unit.copy)
    await asyncio.to_thread(texts.fetch)
    if unit.evaluation.predictions_key is None:
        source = answers_of(predictor, texts, deployment.manifest.batch_size)
        await record(bench, order, unit, source, _provenance(order, unit, deployment))
    if unit.copy is None:
        try:
            await measure_cost(bench, order, unit, deployment, examples, predictor)
        except ModelFailure as failure:
            raise located(failure, unit) from failure
    else:
        await asyncio.to_thread(change, bench, unit, status=FINISHED, finished_at=now())
    texts.discard()


def answers_of(predictor: Predictor, examples: Iterable[dict[str, Any]], batch_size: int) -> Source:
    """The model's answers to the examples from a position on."""

    async def source(first: int) -> AsyncGenerator[list[Answer]]:
        remaining = itertools.islice(examples, first, None)
        try:
            async with aclosing(predictor.stream(remaining, batch_size)) as batches:
                async for answers in batches:
                    yield answers
        except BrokenContract as failure:
            raise BrokenContract(failure.position + first, failure.example_id, failure.complaint) from failure

    return source


def _provenance(order: Order, unit: Unit, deployment: Deployment) -> dict[str, Any]:
    """What it takes to predict this again."""
    copy = unit.copy
    perturbed = {"perturbation_digest": copy.digest, "recipe": copy.recipe, **saving(copy)} if copy else {}
    return {
        "model_digest": order.digest,
        "dataset_digest": unit.dataset.digest,
        "batch_size": deployment.manifest.batch_size,
        "sandbox": deployment.server.sandbox,
        "dynaboard": __version__,
        **perturbed,
    }

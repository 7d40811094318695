"""Talk to the model: models started on demand, kept while they are asked, stopped when nobody asks any more."""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

from dynaboard.contract import Answer
from dynaboard.errors import Invalid, Unavailable
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Predictor
from services.evaluator.archives import Archive
from services.evaluator.bench import Bench
from services.evaluator.deployers import Deployment
from services.evaluator.deployers.purpose import INTERACTIVE
from services.evaluator.running_models import timed

LOG = logging.getLogger(__name__)
LONGEST_FIELD = 20_000
# Questions that may wait for one model; each may take as long as a request of an evaluation.
MOST_WAITING = 8


@dataclass
class Talk:
    """One model in use. Questions are put one after the other, so that none pays for another's time."""

    deployment: Deployment
    ready: asyncio.Task[Predictor]
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    asking: int = 0
    last_asked: float = field(default_factory=time.monotonic)
    expiry: asyncio.TimerHandle | None = None


class Interactive:
    """The models of this process that are kept for questions. Everything runs in one event loop."""

    def __init__(self, bench: Bench) -> None:
        self._deployer = bench.deployer
        self._slot = bench.slot
        self._settings = bench.settings
        self._models = bench.models
        self._talks: dict[str, Talk] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def ask(self, archive: Archive, task: Task, examples: Sequence[dict[str, Any]]) -> tuple[list[Answer], bool]:
        """The model's answers, and whether it was started for them. It waits for a measurement to end, not for long.

        Raises Unavailable when all places are taken, ModelFailure with the author's sentence, PlatformFailure.
        """
        talk = self._talks.get(archive.submission_id)
        started = talk is None
        if talk is None:
            talk = self._start(archive, task)
        if talk.asking >= MOST_WAITING:
            raise Unavailable("Many are asking this model just now; try again in a minute.")
        return await self._put(archive.submission_id, talk, examples), started

    async def _put(self, name: str, talk: Talk, examples: Sequence[dict[str, Any]]) -> list[Answer]:
        talk.asking += 1
        if talk.expiry:
            talk.expiry.cancel()
        kept = False  # whatever state it is in, the next question finds a fresh one
        try:
            predictor = await asyncio.shield(talk.ready)
            kept = True  # to wait does it no harm
            async with self._at(talk.deployment.place), talk.turn:
                kept = False
                answers = await predictor.predict(examples)
                kept = True
            return answers
        finally:
            talk.asking -= 1
            talk.last_asked = time.monotonic()
            if not kept:
                self._drop(name, talk)
            elif talk.asking == 0 and self._talks.get(name) is talk:
                idle_s = self._settings.interactive_idle_s
                talk.expiry = asyncio.get_running_loop().call_later(idle_s, self._drop, name, talk)

    def _start(self, archive: Archive, task: Task) -> Talk:
        self._make_room()
        self._loop = asyncio.get_running_loop()
        deployment = self._deployer.start(archive, INTERACTIVE)
        self._models.add(deployment, INTERACTIVE)
        talk = Talk(deployment, asyncio.create_task(self._connect(deployment, task)))
        self._talks[archive.submission_id] = talk
        return talk

    async def _connect(self, deployment: Deployment, task: Task) -> Predictor:
        await asyncio.to_thread(deployment.settle, LOG.info)
        async with self._at(deployment.place):
            await asyncio.to_thread(deployment.fetch)
            await asyncio.to_thread(deployment.wait_ready)
        return await timed(deployment.predictor(task), INTERACTIVE).__aenter__()

    def _at(self, place: str) -> AbstractAsyncContextManager[None]:
        return self._slot.shared(place, self._settings.interactive_patience_s)

    def _make_room(self) -> None:
        """Stop the model that has been idle longest when all places are taken. Raises Unavailable when none is idle."""
        if len(self._talks) < self._settings.interactive_models:
            return
        idle = [(talk.last_asked, name) for name, talk in self._talks.items() if talk.asking == 0]
        if not idle:
            raise Unavailable("All places for talking to models are taken; try again in a minute.")
        name = min(idle)[1]
        self._drop(name, self._talks[name])

    def _drop(self, name: str, talk: Talk) -> None:
        """Stop a model, unless that has begun; returns at once."""
        if self._talks.get(name) is talk:
            del self._talks[name]
            self._models.remove(talk.deployment, INTERACTIVE)
            ending = asyncio.create_task(_end(talk))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    def close(self) -> None:
        """Stop all models; called from another thread while the event loop still runs."""
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()

    async def _close(self) -> None:
        for name, talk in list(self._talks.items()):
            self._drop(name, talk)
        await asyncio.gather(*self._ending)


async def _end(talk: Talk) -> None:
    if talk.expiry:
        talk.expiry.cancel()
    await asyncio.to_thread(talk.deployment.stop)
    (connected,) = await asyncio.gather(talk.ready, return_exceptions=True)
    if isinstance(connected, Predictor):
        await connected.__aexit__(None, None, None)


def checked_examples(task: Task, examples: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Examples of a question as a dataset would hold them. Raises Invalid, naming the example and the field."""
    wanted = " and ".join(task.inputs)
    for number, example in enumerate(examples, start=1):
        missing, unknown = set(task.inputs) - example.keys(), example.keys() - set(task.inputs)
        if missing or unknown:
            problem = f"lacks {min(missing)}" if missing else f"has the unknown field {min(unknown)[:40]!r}"
            raise Invalid(f"Example {number} {problem}; an example of {task.name} has {wanted}.")
        for name, value in example.items():
            if isinstance(value, list) != (name in task.token_inputs):
                raise Invalid(f"Example {number}: {name} must be {_type_of(task, name)}.")
            text = " ".join(value) if isinstance(value, list) else value
            if not text.strip() or len(text) > LONGEST_FIELD:
                problem = "is empty" if not text.strip() else f"is longer than {LONGEST_FIELD:,} characters"
                raise Invalid(f"Example {number}: {name} {problem}.")
    return [{"id": str(number), **example} for number, example in enumerate(examples, start=1)]


def _type_of(task: Task, name: str) -> str:
    return "a list of tokens" if name in task.token_inputs else "a text"


def shown_answer(task: Task, answer: Answer) -> dict[str, Any]:
    """An answer as the contract writes it, without its id."""
    optional = {"prob": answer.prob, "conf": answer.conf}
    value = answer.value.split(" ") if task.kind == "token-labels" else answer.value
    return {task.answer_field: value} | {name: value for name, value in optional.items() if value is not None}

"""The HTTP route of perturbations of any text, for the evaluator's application to include."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import APIRouter

from dynaboard.errors import Invalid, Unavailable
from dynaboard.identity import CallerDep
from dynaboard.schemas import PerturbationPreview, PerturbRequest
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.evaluator.bench import Bench
from services.evaluator.interactive import checked_examples
from services.evaluator.perturbations.edits import Suite
from services.evaluator.perturbed.preview import preview_of, unstored
from services.evaluator.perturbed.recipe import recipe_of

# Characters of an example. spaCy and our own patterns take a second for the worst of this length, for all askers
# together, and sixteen for the worst of 20,000.
LONGEST_EXAMPLE = 6_000
# Texts that may wait for their turn; each takes a second at most, and a measurement waits for all that have begun.
MOST_WAITING = 8


class Turns:
    """One text after the other: more at once would be no faster, and keep threads that others need."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """This text's turn, for the block. Raises Unavailable when many wait already."""
        if self._waiting >= MOST_WAITING:
            raise Unavailable("Many texts are being perturbed just now; try again in a minute.")
        self._waiting += 1
        try:
            async with self._turn:
                yield
        finally:
            self._waiting -= 1


def check_length(example: Mapping[str, str | list[str]]) -> None:
    """Raise Invalid for an example too long to be perturbed while somebody waits."""
    if sum(len(part) for value in example.values() for part in value) > LONGEST_EXAMPLE:
        raise Invalid(f"To be perturbed, an example may have {LONGEST_EXAMPLE:,} characters at most; shorten it.")


def make_router(bench: Bench) -> APIRouter:
    """POST /perturbations/{suite}."""
    router, turns = APIRouter(tags=["perturbations"]), Turns()

    def known(name: str) -> Task:
        with bench.database.begin() as db:
            return find_task(db, name)

    @router.post("/perturbations/{suite}")
    async def perturb(suite: Suite, wanted: PerturbRequest, _: CallerDep) -> PerturbationPreview:
        """What our own engine makes of a text; it waits for a measurement to end, not for long, as questions do."""
        task = await asyncio.to_thread(known, wanted.task)
        checked_examples(task, [wanted.example])
        check_length(wanted.example)
        example = unstored(wanted.example, wanted.draw)
        async with turns.one(), bench.slot.shared(bench.here, bench.settings.interactive_patience_s):
            return await asyncio.to_thread(preview_of, task, recipe_of(bench.settings, suite, task), example)

    return router

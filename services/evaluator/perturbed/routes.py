"""The HTTP route of perturbations of any text, for the evaluator's application to include."""

import asyncio

from fastapi import APIRouter

from dynaboard.identity import CallerDep
from dynaboard.schemas import PerturbationPreview, PerturbRequest
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.evaluator.bench import Bench
from services.evaluator.interactive import checked_examples
from services.evaluator.perturbations.edits import Suite
from services.evaluator.perturbed.preview import preview_of, unstored
from services.evaluator.perturbed.recipe import recipe_of


def make_router(bench: Bench) -> APIRouter:
    """POST /perturbations/{suite}."""
    router = APIRouter(tags=["perturbations"])

    def known(name: str) -> Task:
        with bench.database.begin() as db:
            return find_task(db, name)

    @router.post("/perturbations/{suite}")
    async def perturb(suite: Suite, wanted: PerturbRequest, _: CallerDep) -> PerturbationPreview:
        """What our own engine makes of a text; it waits for a measurement to end, not for long, as questions do."""
        task = await asyncio.to_thread(known, wanted.task)
        checked_examples(task, [wanted.example])
        example = unstored(wanted.example, wanted.draw)
        async with bench.slot.shared(bench.settings.interactive_patience_s):
            return await asyncio.to_thread(preview_of, task, recipe_of(bench.settings, suite, task), example)

    return router

"""What a model costs on a dataset: measured alone on the machine, recorded with all it takes to judge."""

import asyncio
from collections.abc import Iterable
from itertools import islice
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from dynaboard.measurement import PROFILES, PROTOCOL_VERSION, Endpoint, HardwareProfile, Profile, measure
from dynaboard.measurement.hardware import hardware_profile
from dynaboard.measurement.integrity import Witness
from dynaboard.measurement.reference import connected
from dynaboard.runtime import Predictor
from dynaboard.tables import Evaluation, now
from dynaboard.tables import HardwareProfile as HardwareRow
from dynaboard.tables import Measurement as Cell
from services.evaluator.attempts import Attempt, cells_of_steadiest, is_repeated
from services.evaluator.bench import Bench, LocalExamples, Order
from services.evaluator.canaries import watched
from services.evaluator.cost_cells import Circumstances
from services.evaluator.deployers import Deployment
from services.evaluator.integrity import Findings, compared, examined
from services.evaluator.plan import FINISHED, Unit
from services.evaluator.ratings import with_rating

# Inputs are drawn from so many examples, evenly spread over the dataset: enough to know its lengths.
POOL = 2_000


async def measure_cost(
    bench: Bench, order: Order, unit: Unit, deployment: Deployment, examples: LocalExamples, predictor: Predictor
) -> None:
    """Measure a model on a dataset and finish the evaluation; a cost that is known already is not measured again.

    Raises ModelFailure when the model breaks its contract under way.
    """
    profile = PROFILES[bench.settings.measurement_profile]
    hardware = hardware_profile(deployment.server.limits, bench.settings.runtime_python)
    key = {
        "model_digest": order.digest,
        "dataset_digest": unit.dataset.digest,
        "hardware_profile": hardware.fingerprint,
        "protocol_version": protocol(profile),
    }
    cells: list[dict[str, Any]] = []
    if not await asyncio.to_thread(_is_known, bench, key):
        order.progress.say(f"Measuring speed and memory on {unit.title} ({unit.place} of {unit.places})")
        pool = await asyncio.to_thread(spread, examples, unit.dataset.examples, POOL)
        candidate = Endpoint(deployment.server, predictor, deployment.manifest.batch_size, bench.settings.sampling)
        cells = [key | cell for cell in await _measured(bench, order, unit, candidate, pool, hardware)]
    await asyncio.to_thread(finish, bench, unit, hardware, cells)


async def _measured(
    bench: Bench, order: Order, unit: Unit, candidate: Endpoint, pool: list[dict[str, Any]], hardware: HardwareProfile
) -> list[dict[str, Any]]:
    """The cells of a measurement, made again where the machine did not run as it used to."""
    repeats = PROFILES[bench.settings.measurement_profile].repeats
    attempts = [await _attempt(bench, order, unit, candidate, pool, hardware)]
    while is_repeated(attempts, repeats):
        order.progress.say(f"Measuring again on {unit.title}: the machine did not run as it used to")
        attempts.append(await _attempt(bench, order, unit, candidate, pool, hardware))
    return cells_of_steadiest(attempts, Circumstances(hardware, candidate.server.sandbox, candidate.batch_size))


async def _attempt(
    bench: Bench, order: Order, unit: Unit, candidate: Endpoint, pool: list[dict[str, Any]], hardware: HardwareProfile
) -> Attempt:
    """One whole measurement, which has the machine's slot to itself."""
    profile = PROFILES[bench.settings.measurement_profile]
    async with (
        bench.slot.exclusive(bench.here),
        watched(bench, hardware.fingerprint, profile.quiet_cap_s) as watch,
        bench.reference.serving() as server,
        connected(server, order.task) as unrated,
    ):
        beside = await with_rating(bench, unrated, hardware.fingerprint, protocol(profile), profile)
        with Witness().watching(candidate.predictor) as witness:
            measured = await measure(candidate, beside, pool, profile)
            speeds, used = await examined(candidate, pool, measured, profile)
    scratch = order.scratch / f"{unit.evaluation.id}.scored"
    same = await asyncio.to_thread(compared, bench.storage, order.task, unit.evaluation.id, witness, scratch)
    return Attempt(measured, Findings(speeds, same, used, watch))


def protocol(profile: Profile) -> str:
    """The protocol version of a cell: numbers of a short profile stand beside those of a long one, never for them."""
    return f"{PROTOCOL_VERSION}-{profile.name}"


def spread(examples: Iterable[dict[str, Any]], count: int, most: int) -> list[dict[str, Any]]:
    """At most `most` of `count` examples, evenly spread; the same for every model."""
    return list(islice(examples, 0, None, -(-count // most)))


def _is_known(bench: Bench, key: dict[str, str]) -> bool:
    with bench.database.begin() as db:
        return db.scalar(select(Cell.id).filter_by(**key, metric="throughput", perturbation_digest="")) is not None


def finish(bench: Bench, unit: Unit, hardware: HardwareProfile, cells: list[dict[str, Any]]) -> None:
    """The cells and the end of the evaluation are one transaction; what is there already stays."""
    row = {"fingerprint": hardware.fingerprint, "description": hardware.description}
    ended = {"status": FINISHED, "finished_at": now(), "updated_at": now()}
    with bench.database.begin() as db:
        db.execute(insert(HardwareRow).values(row).on_conflict_do_nothing())
        if cells:
            db.execute(insert(Cell).on_conflict_do_nothing(), cells)
        unfinished = (Evaluation.id == unit.evaluation.id, Evaluation.status != FINISHED)
        db.execute(update(Evaluation).where(*unfinished).values(ended))

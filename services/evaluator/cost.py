"""What a model costs on a dataset: measured alone on the machine, recorded with all it takes to judge."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from dynaboard.cell_order import in_order
from dynaboard.errors import PlatformFailure
from dynaboard.measurement import PROFILES, PROTOCOL_VERSION, Endpoint, HardwareProfile, Profile, measure
from dynaboard.measurement.integrity import Witness
from dynaboard.measurement.reference import connected
from dynaboard.runtime import Predictor
from dynaboard.runtime.served import Served
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
    server, python = deployment.server, bench.settings.runtime_python
    hardware = await asyncio.to_thread(server.host.hardware, server.limits, python)
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
        candidate = Endpoint(server, predictor, deployment.manifest.batch_size, bench.settings.sampling)
        station = Station(deployment.place, hardware)
        cells = [key | cell for cell in await _measured(bench, order, unit, candidate, pool, station)]
    await asyncio.to_thread(finish, bench, unit, hardware, cells)


@dataclass(frozen=True)
class Station:
    """The machine that a model is measured on: its name, and what it is."""

    place: str
    hardware: HardwareProfile


async def _measured(
    bench: Bench, order: Order, unit: Unit, candidate: Endpoint, pool: list[dict[str, Any]], station: Station
) -> list[dict[str, Any]]:
    """The cells of a measurement, made again where the machine did not run as it used to."""
    repeats = PROFILES[bench.settings.measurement_profile].repeats
    attempts = [await _attempt(bench, order, unit, candidate, pool, station)]
    while is_repeated(attempts, repeats):
        order.progress.say(f"Measuring again on {unit.title}: the machine did not run as it used to")
        attempts.append(await _attempt(bench, order, unit, candidate, pool, station))
    circumstances = Circumstances(station.hardware, candidate.server.sandbox, candidate.batch_size)
    return cells_of_steadiest(attempts, circumstances)


async def _attempt(
    bench: Bench, order: Order, unit: Unit, candidate: Endpoint, pool: list[dict[str, Any]], station: Station
) -> Attempt:
    """One whole measurement, which has the machine's slot to itself; how the machine does, the reference says."""
    profile, fingerprint = PROFILES[bench.settings.measurement_profile], station.hardware.fingerprint
    async with (
        bench.slot.exclusive(station.place),
        bench.reference.serving(station.place) as server,
        watched(bench, server.host, fingerprint, profile.quiet_cap_s) as watch,
        connected(server, order.task) as unrated,
    ):
        await _hold_against(bench, server, station)
        beside = await with_rating(bench, unrated, fingerprint, protocol(profile), profile)
        with Witness().watching(candidate.predictor) as witness:
            measured = await measure(candidate, beside, pool, profile)
            speeds, used = await examined(candidate, pool, measured, profile)
    scratch = order.scratch / f"{unit.evaluation.id}.scored"
    same = await asyncio.to_thread(compared, bench.storage, order.task, unit.evaluation.id, witness, scratch)
    return Attempt(measured, Findings(speeds, same, used, watch))


async def _hold_against(bench: Bench, reference: Served, station: Station) -> None:
    """Raises PlatformFailure when the reference runs on other hardware than the candidate's own server tells of."""
    python = bench.settings.runtime_python
    found = await asyncio.to_thread(reference.host.hardware, reference.limits, python)
    if found != station.hardware:
        raise PlatformFailure(f"The reference model runs on other hardware than the model: {found.description}")


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
            in_order(db)
            db.execute(insert(Cell).on_conflict_do_nothing(), cells)
        unfinished = (Evaluation.id == unit.evaluation.id, Evaluation.status != FINISHED)
        db.execute(update(Evaluation).where(*unfinished).values(ended))

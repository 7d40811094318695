"""What a model costs on a dataset, as cells: measured alone on the machine, recorded with all it takes to judge."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from dynaboard import __version__
from dynaboard.measurement import (
    PROFILES,
    PROTOCOL_VERSION,
    HardwareProfile,
    Measurement,
    Profile,
    hardware_profile,
    measure,
)
from dynaboard.runtime import Predictor
from dynaboard.runtime.limits import GIB
from dynaboard.tables import Evaluation, now
from dynaboard.tables import HardwareProfile as HardwareRow
from dynaboard.tables import Measurement as Cell
from services.evaluator.bench import Bench, LocalExamples, Order
from services.evaluator.deployers import Deployment
from services.evaluator.plan import FINISHED, Unit

METRIC_VERSION = "1"
# Inputs are drawn from so many examples, evenly spread over the dataset: enough to know its lengths.
POOL = 2_000
TRUSTED_SANDBOX = "bubblewrap"


async def measure_cost(
    bench: Bench, order: Order, unit: Unit, deployment: Deployment, examples: LocalExamples, predictor: Predictor
) -> None:
    """Measure a model on a dataset and finish the evaluation; a cost that is known already is not measured again.

    Raises ModelFailure when the model breaks its contract under way.
    """
    profile = PROFILES[bench.settings.measurement_profile]
    hardware = hardware_profile(deployment.server.limits)
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
        batch_size, sandbox = deployment.manifest.batch_size, deployment.server.sandbox
        async with bench.slot.exclusive():
            measured = await measure(deployment.server, predictor, pool, batch_size, profile)
        circumstances = _circumstances(hardware, measured, sandbox, batch_size)
        cells = [key | cell for cell in cells_of(measured, circumstances, sandbox)]
    await asyncio.to_thread(finish, bench, unit, hardware, cells)


def protocol(profile: Profile) -> str:
    """The protocol version of a cell: numbers of a short profile stand beside those of a long one, never for them."""
    return f"{PROTOCOL_VERSION}-{profile.name}"


def spread(examples: Iterable[dict[str, Any]], count: int, most: int) -> list[dict[str, Any]]:
    """At most `most` of `count` examples, evenly spread; the same for every model."""
    return list(islice(examples, 0, None, -(-count // most)))


def cells_of(measured: Measurement, circumstances: dict[str, Any], sandbox: str) -> list[dict[str, Any]]:
    """One cell a metric. Throughput in examples/s, memory in GiB, latencies in ms, the cold start in s."""
    flags = [*measured.flags, *(() if sandbox == TRUSTED_SANDBOX else ("unsandboxed",))]
    low, high = measured.throughput_interval
    p50_low, p50_high = measured.p50_interval
    p90_upper = None if measured.p90_upper is None else measured.p90_upper * 1000
    samples, requests = len(measured.memory_samples), measured.requests
    values: Sequence[tuple[str, str, float, float | None, float | None, int]] = (
        ("throughput", "examples/s", measured.throughput, low, high, len(measured.blocks)),
        ("memory", "GiB", measured.memory_mean / GIB, None, None, samples),
        ("memory_peak", "GiB", measured.memory_peak / GIB, None, None, samples),
        ("latency_p50", "ms", measured.p50 * 1000, p50_low * 1000, p50_high * 1000, requests),
        ("latency_p90", "ms", measured.p90 * 1000, None, p90_upper, requests),
        ("cold_start", "s", measured.cold_start, None, None, 1),
    )
    raw = {"blocks": [asdict(block) for block in measured.blocks], "memory_samples": list(measured.memory_samples)}
    return [
        {
            "metric": metric,
            "metric_version": METRIC_VERSION,
            "unit": unit,
            "value": value,
            "low": low,
            "high": high,
            "n": n,
            "flags": flags,
            "provenance": circumstances | (raw if metric == "throughput" else {}),
        }
        for metric, unit, value, low, high, n in values
    ]


def _circumstances(hardware: HardwareProfile, measured: Measurement, sandbox: str, batch_size: int) -> dict[str, Any]:
    described = asdict(hardware)
    return {
        "hardware_profile": hardware.fingerprint,
        "protocol": measured.protocol_version,
        "profile": measured.profile,
        "versions": {"dynaboard": __version__} | {name: described[name] for name in ("python", "torchserve", "torch")},
        "sandbox": sandbox,
        "batch_size": batch_size,
        "seed": "dynaboard measurement inputs",
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _is_known(bench: Bench, key: dict[str, str]) -> bool:
    with bench.database.begin() as db:
        return db.scalar(select(Cell.id).filter_by(**key, metric="throughput", perturbation_digest="")) is not None


def finish(bench: Bench, unit: Unit, hardware: HardwareProfile, cells: list[dict[str, Any]]) -> None:
    """The cells and the end of the evaluation are one transaction; what is there already stays."""
    row = {"fingerprint": hardware.fingerprint, "description": asdict(hardware)}
    ended = {"status": FINISHED, "finished_at": now(), "updated_at": now()}
    with bench.database.begin() as db:
        db.execute(insert(HardwareRow).values(row).on_conflict_do_nothing())
        if cells:
            db.execute(insert(Cell).on_conflict_do_nothing(), cells)
        db.execute(update(Evaluation).where(Evaluation.id == unit.evaluation.id).values(ended))

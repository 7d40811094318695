"""What a measurement's cells say beside their numbers: equal answers, equal speeds, energy, a steady machine."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from dynaboard.measurement import Endpoint, Measurement, Profile
from dynaboard.measurement.blocks import rate
from dynaboard.measurement.energy import Energy, energy_of
from dynaboard.measurement.inputs import pass_length, stratified
from dynaboard.measurement.integrity import (
    Determinism,
    Examples,
    SpeedRatio,
    Speeds,
    Witness,
    determinism,
    flags_of,
    speeds_of,
)
from dynaboard.nlp_tasks import Task
from dynaboard.prediction_file import ROWS_AT_ONCE
from dynaboard.storage import Storage
from services.evaluator.canaries import Watch
from services.evaluator.predictions import predictions_key

METRIC_VERSION = "1"


@dataclass(frozen=True)
class Findings:
    """Of one measurement: its speeds compared, its answers compared, its energy, and its canaries."""

    speeds: Speeds
    determinism: Determinism | None
    energy: Energy | None
    watch: Watch

    @property
    def flags(self) -> tuple[str, ...]:
        """What goes with every number."""
        return (*flags_of(self.speeds, self.determinism), *(() if self.watch.steady else ("noisy",)))


async def examined(
    candidate: Endpoint, pool: Examples, measured: Measurement, profile: Profile
) -> tuple[Speeds, Energy | None]:
    """Check a model that has just been measured, and read its energy. Raises ModelFailure or PlatformFailure."""
    predictor, batch_size = candidate.predictor, candidate.batch_size
    expected = rate([block for pair in measured.pairs for block in pair.candidate])
    chosen = stratified(pool, pass_length(profile.inputs, batch_size), predictor.task.inputs)
    meter = candidate.server.host.meter()
    used = await energy_of(predictor, list(predictor.encoded(chosen, batch_size)), profile.pair_s, meter)
    return await speeds_of(predictor, pool, batch_size, expected, profile.check_s), used


def compared(storage: Storage, task: Task, evaluation_id: str, witness: Witness, scratch: Path) -> Determinism | None:
    """The answers when timed beside those that were scored; `scratch` is a file to use on the way."""
    storage.fetch(predictions_key(evaluation_id), scratch)
    scored: dict[str, str] = {}
    for batch in pq.ParquetFile(scratch).iter_batches(ROWS_AT_ONCE, columns=["id", task.answer_field]):
        ids, values = (column.to_pylist() for column in batch.columns)
        scored |= {example: value for example, value in zip(ids, values, strict=True) if example in witness.answers}
    scratch.unlink()
    return determinism(witness.answers, scored)


def with_findings(cells: Sequence[Mapping[str, Any]], findings: Findings) -> list[dict[str, Any]]:
    """The cells with the findings' flags, and cells of determinism (%) and energy (J per 1,000 examples). Pure."""
    flagged = [cell | {"flags": [*dict.fromkeys([*cell["flags"], *findings.flags])]} for cell in map(dict, cells)]
    described = {"integrity": _described(findings.speeds), "canary": findings.watch.described()}
    for cell in flagged:
        if cell["metric"] == "throughput":
            cell["provenance"] = cell["provenance"] | described
    common = {name: value for name, value in cells[0]["provenance"].items() if name not in _RAW}
    return [*flagged, *(_cell(value, flagged[0]["flags"], common) for value in _values(findings))]


# What only the throughput cell holds.
_RAW = ("blocks", "memory_samples", "ratio", "rating", "between_runs", "rest")


def _values(findings: Findings) -> list[dict[str, Any]]:
    found, used = findings.determinism, findings.energy
    values: list[dict[str, Any]] = []
    if found:
        shares = {"value": found.share * 100, "low": found.low * 100, "high": found.high * 100}
        values.append({"metric": "determinism", "unit": "%", **shares, "n": found.compared, "provenance": {}})
    if used:
        joules = {"value": used.value, "low": used.low, "high": used.high}
        counted = {"counters": list(used.counters), "energy_blocks": [asdict(block) for block in used.blocks]}
        n = len(used.blocks)
        values.append({"metric": "energy", "unit": "J/1000 examples", **joules, "n": n, "provenance": counted})
    return values


def _cell(value: dict[str, Any], flags: list[str], common: dict[str, Any]) -> dict[str, Any]:
    provenance = common | value["provenance"]
    return value | {"metric_version": METRIC_VERSION, "flags": flags, "provenance": provenance}


def _described(speeds: Speeds) -> dict[str, Any]:
    """As it is stored; not what the model said of new texts, for they are made of the dataset's."""
    return {
        "repeated_inputs": _ratio(speeds.repeated),
        "second_selection": _ratio(speeds.reselected),
        "failed_on_new_texts": speeds.failure is not None,
    }


def _ratio(found: SpeedRatio | None) -> dict[str, Any] | None:
    return None if found is None else asdict(found)

"""What `dynaboard measure` prints: a sentence, a table, what speaks against the numbers. Pure: a duel in, text out."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dynaboard.cli.output import size, table

if TYPE_CHECKING:
    from rich.table import Table

    from dynaboard.measurement.duel import Costs, Duel
    from dynaboard.measurement.hardware import HardwareProfile

REFERENCE = "the built-in reference"
# What each flag means, in the words of docs/cost-measurement.md.
MEANINGS = {
    "quick": "a short measurement, to try things out",
    "standard": "a measurement of medium length",
    "noisy": "the machine was not quiet, or the interval stayed wider than ±3 %",
    "unsettled": "a model still got faster when it was measured",
    "unwatched": "this kernel does not say whether others wait for its processors (PSI)",
    "harness": "more than a twentieth of the median latency is our own",
    "unsandboxed": "bubblewrap does not work here, so the model ran without its fence",
    "drifted": "the machine itself was faster or slower after the measurement than before",
    "cached": "texts it was asked before are answered more than a tenth faster than new ones of equal length",
    "selective": "another selection of texts gives another throughput",
    "restless": "it works while it is not asked, which slows the reference that it is measured beside",
    "inconsistent": "it answers otherwise when it is timed",
    "unchecked": "it failed on texts it had not seen, so a cache cannot be excluded",
}


def sentence(duel: "Duel") -> str:
    """The result in words, with its interval."""
    ratio, name = duel.found.ratio, duel.sides[0].name
    other = duel.sides[1].name if len(duel.sides) == 2 else REFERENCE
    value, low, high = _times(ratio.value), _times(ratio.low), _times(ratio.high)
    sure = f"{value} times as fast as {other}, 95 % sure between {low} and {high}"
    if ratio.low <= 1 <= ratio.high:
        return f"Which is faster cannot be told: {name} is {sure}."
    return f"{name} is {sure}."


def _times(value: float) -> str:
    return f"{value:.2f}" if 0.1 <= value < 100 else f"{value:.3g}"


def costs_table(sides: Sequence["Costs"]) -> "Table":
    """One row a cost, one column a model."""
    names = [side.name for side in sides]
    made = table("", *names, right=names)
    rows: Sequence[tuple[str, Callable[[Costs], str]]] = (
        (
            "throughput, examples/s",
            lambda costs: f"{costs.side.rate:,.3g}" if costs.side.rate < 100 else f"{costs.side.rate:,.0f}",
        ),
        ("latency, median of single requests", lambda costs: _ms(costs.side.latency.p50)),
        ("latency, 9 of 10 within", lambda costs: _ms(costs.side.latency.p90_upper or costs.side.latency.p90)),
        ("memory, mean", lambda costs: size(round(costs.side.memory.mean))),
        ("memory, peak", lambda costs: size(costs.side.memory.peak)),
        ("start to ready", lambda costs: f"{costs.side.cold_start:.1f} s"),
        ("same answers when timed", _same),
    )
    counted = [("energy, J for 1,000 examples", _energy)] if any(costs.energy for costs in sides) else []
    for title, cell in (*rows, *counted):
        made.add_row(title, *(cell(each) for each in sides))
    return made


def _energy(costs: "Costs") -> str:
    return f"{costs.energy.value:,.3g}" if costs.energy else ""


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.3g} ms"


def _same(costs: "Costs") -> str:
    return f"{costs.determinism.equal} of {costs.determinism.compared}" if costs.determinism else ""


def remarks(duel: "Duel", extra: Sequence[str]) -> list[str]:
    """A line for each thing that speaks against the numbers, those of one model with its name."""
    lines = [f"{flag}: {MEANINGS.get(flag, flag)}" for flag in (*duel.found.flags, *extra)]
    lines += [f"{side.name} is {flag}: {MEANINGS.get(flag, flag)}" for side in duel.sides for flag in side.flags]
    return lines


def hardware_line(hardware: "HardwareProfile") -> str:
    """The machine, so that numbers of two machines are not compared."""
    software = ", ".join(f"{name} {version}" for name, version in _software(hardware) if version)
    return (
        f"{hardware.cpu}, {hardware.cores} cores, {hardware.memory_gib} GiB, Linux {hardware.kernel}, {software}; "
        f"{hardware.limits.threads} thread(s) a model (hardware profile {hardware.fingerprint})"
    )


def _software(hardware: "HardwareProfile") -> tuple[tuple[str, str | None], ...]:
    return ("Python", hardware.python), ("torch", hardware.torch), ("TorchServe", hardware.torchserve)


def document(duel: "Duel", extra: Sequence[str], hardware: "HardwareProfile", origin: str) -> dict[str, Any]:
    """All of it as JSON. Times in seconds, memory in bytes, rates in examples/s."""
    found = duel.found
    return {
        "sentence": sentence(duel),
        "ratio": asdict(found.ratio),
        "against": duel.sides[1].name if len(duel.sides) == 2 else "reference",
        "models": [_model(side) for side in duel.sides],
        "flags": [*found.flags, *extra],
        "profile": found.profile,
        "protocol_version": found.protocol_version,
        "pairs": [[pair.ratio, pair.seconds] for pair in found.pairs],
        "examples": origin,
        "canary": {"before": asdict(duel.before), "after": asdict(duel.after)},
        "quiet": asdict(found.quiet),
        "hardware": {"fingerprint": hardware.fingerprint, **hardware.description},
    }


def _model(costs: "Costs") -> dict[str, Any]:
    memory = costs.side.memory
    return {
        "name": costs.name,
        "examples_per_second": costs.side.rate,
        "latency": asdict(costs.side.latency),
        "memory": {"mean": memory.mean, "peak": memory.peak, "sampler": memory.use.sampler},
        "cold_start": costs.side.cold_start,
        "sandbox": costs.sandbox,
        "determinism": asdict(costs.determinism) if costs.determinism else None,
        "speeds": asdict(costs.speeds),
        "energy": asdict(costs.energy) if costs.energy else None,
        "flags": list(costs.flags),
    }

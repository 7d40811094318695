"""A measurement on a machine that does not run as it used to is made again; the steadiest attempt counts. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dynaboard.measurement import Measurement
from services.evaluator.cost_cells import Circumstances, cells_of
from services.evaluator.integrity import Findings, with_findings


@dataclass(frozen=True)
class Attempt:
    """One whole measurement with what was found beside it."""

    measured: Measurement
    findings: Findings

    @property
    def unsteadiness(self) -> float:
        """How far the machine was off, in limits of what is usual: it was steady up to 1."""
        return abs(self.findings.watch.drift) / self.findings.watch.limit


def is_repeated(attempts: Sequence[Attempt], repeats: int) -> bool:
    """Whether to measure once more: no attempt was on a steady machine, and `repeats` beyond the first are allowed."""
    return len(attempts) <= repeats and not any(attempt.findings.watch.steady for attempt in attempts)


def steadiest(attempts: Sequence[Attempt]) -> Attempt:
    """The one on the machine that was least off; of equals the first."""
    return min(attempts, key=lambda attempt: attempt.unsteadiness)


def cells_of_steadiest(attempts: Sequence[Attempt], circumstances: Circumstances) -> list[dict[str, Any]]:
    """The cells of the attempt that counts; its throughput says what the others were."""
    kept = steadiest(attempts)
    cells = with_findings(cells_of(kept.measured, circumstances), kept.findings)
    told = [_described(attempt, kept) for attempt in attempts]
    return [
        cell | {"provenance": cell["provenance"] | {"attempts": told}} if cell["metric"] == "throughput" else cell
        for cell in cells
    ]


def _described(attempt: Attempt, kept: Attempt) -> dict[str, Any]:
    watch = attempt.findings.watch
    return {
        "throughput": attempt.measured.throughput,
        "drift": round(watch.drift, 4),
        "limit": round(watch.limit, 4),
        "steady": watch.steady,
        "counts": attempt is kept,
    }

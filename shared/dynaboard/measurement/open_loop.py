"""Requests that come when they come, whether or not the model keeps up: latency counts from the scheduled time.

A closed loop waits for a stalled model and so never asks while it stalls (coordinated omission); users do.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """One rate tried (requests/s, one example each). Latencies in seconds from the scheduled time; inf: no answer.

    `p95_upper` is the 95 % upper bound of p95, None below 59 requests; `p99` the sample's.
    """

    rate: float
    requests: int
    p50: float
    p95_upper: float | None
    p99: float
    held: bool


@dataclass(frozen=True)
class OpenLoop:
    """The greatest rate tried (requests/s) whose p95 stayed below the objective (seconds); None: none of them did."""

    rate: float | None
    objective_s: float
    probes: tuple[Probe, ...]

"""The machine under a model server, as measurements look at it: this one, or the node on which a pod runs.

What is read there is read by our own code: on this machine by us, in a pod by its supervisor, which the model in it
cannot touch (docs/operating.md).
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from dynaboard.errors import PlatformFailure
from dynaboard.measurement import canary, cores, energy, hardware, quiet
from dynaboard.measurement.canary import Canary
from dynaboard.measurement.energy import Meter
from dynaboard.measurement.hardware import HardwareProfile
from dynaboard.measurement.pod_memory import PodMemory
from dynaboard.measurement.quiet import Reading
from dynaboard.measurement.samplers import Sampler, SamplerChoice, prometheus_for, sampler_for
from dynaboard.runtime.control import Control
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.served import Served
from dynaboard.runtime.server import ModelServer

# A canary sings for a tenth of a second; on a machine that is busy beyond use, for a while.
CANARY_PATIENCE_S = 60.0


class Host(Protocol):
    """Where a model server runs."""

    async def reading(self) -> Reading:
        """The kernel's counters of how busy the machine is. Raises PlatformFailure when it cannot be reached."""

    async def sing(self) -> Canary:
        """Time the canary's work there. Raises PlatformFailure when it cannot be reached."""

    def hardware(self, limits: Limits, python: Path | None) -> HardwareProfile:
        """Describe the machine with these limits; `python` runs the models, on this machine. Blocks.

        Raises PlatformFailure.
        """

    def pinned(self, servers: Sequence[Served]) -> AbstractContextManager[tuple[int, ...]]:
        """Keep these models on the same processors for the block; yields their numbers, none where it is not ours."""

    def sampler(self, server: Served, choice: SamplerChoice, hertz: float) -> Sampler:
        """What watches the memory of the model on this server. Raises PlatformFailure when the choice cannot work."""

    async def spent(self, server: Served) -> float:
        """The processor seconds that the model on this server has used. Raises PlatformFailure out of reach."""

    def meter(self) -> Meter | None:
        """The machine's counters of energy, None where there are none or they are not ours to read."""


class ThisMachine:
    """The machine on which we run ourselves."""

    async def reading(self) -> Reading:
        """See Host."""
        return quiet.read()

    async def sing(self) -> Canary:
        """See Host."""
        return await asyncio.to_thread(canary.sing)

    def hardware(self, limits: Limits, python: Path | None) -> HardwareProfile:
        """See Host."""
        return hardware.hardware_profile(limits, python)

    def pinned(self, servers: Sequence[Served]) -> AbstractContextManager[tuple[int, ...]]:
        """See Host."""
        return cores.pinned([_local(server) for server in servers])

    def sampler(self, server: Served, choice: SamplerChoice, hertz: float) -> Sampler:
        """See Host."""
        return sampler_for(_local(server), choice)

    async def spent(self, server: Served) -> float:
        """See Host."""
        return _local(server).processes.spent()

    def meter(self) -> Meter | None:
        """See Host."""
        return energy.meter()


def _local(server: Served) -> ModelServer:
    if not isinstance(server, ModelServer):
        raise PlatformFailure("A model that runs elsewhere cannot be measured beside one on this machine.")
    return server


class PodHost:
    """The node under a model's pod, asked through the pod's supervisor."""

    def __init__(self, control: Control) -> None:
        self._control = control

    async def reading(self) -> Reading:
        """See Host."""
        return Reading(**await asyncio.to_thread(self._control.get, "/reading"))

    async def sing(self) -> Canary:
        """See Host."""
        return Canary(**await asyncio.to_thread(self._control.post, "/canary", None, CANARY_PATIENCE_S))

    def hardware(self, limits: Limits, python: Path | None) -> HardwareProfile:
        """See Host. A pod's Python is its image's, its limits are those it was started with: these."""
        said = self._control.get("/hardware")
        return HardwareProfile(**{**said, "limits": limits, "gpus": tuple(said.get("gpus", ()))})

    @contextmanager
    def pinned(self, servers: Sequence[Served]) -> Iterator[tuple[int, ...]]:
        """See Host. Which processors a pod has is for its node's CPU manager to say."""
        yield ()

    def sampler(self, server: Served, choice: SamplerChoice, hertz: float) -> Sampler:
        """See Host. `{pod}` in Prometheus' selector stands for the pod's name."""
        if choice.name == "prometheus":
            selector = choice.prometheus_selector.replace("{pod}", self._control.at.name)
            return prometheus_for(replace(choice, prometheus_selector=selector))
        return PodMemory(self._control, choice.name, hertz)

    async def spent(self, server: Served) -> float:
        """See Host."""
        return float((await asyncio.to_thread(self._control.get, "/processor"))["spent"])

    def meter(self) -> Meter | None:
        """See Host. A pod may not read its node's counters."""
        return None

"""Which sampler watches a model: a setting, or the best that the machine offers."""

import os
from dataclasses import dataclass
from typing import Literal, Protocol

from dynaboard.errors import PlatformFailure
from dynaboard.measurement.samplers.cgroup import ControlGroup, group_of
from dynaboard.measurement.samplers.process_tree import ProcessTree
from dynaboard.measurement.samplers.prometheus import Prometheus
from dynaboard.measurement.samplers.sample import Sampler

SamplerName = Literal["auto", "process-tree", "cgroup", "prometheus"]


class Watched(Protocol):
    """A running model server, as far as samplers know it."""

    def worker_pids(self) -> list[int]:
        """The model's processes."""

    def server_pids(self) -> list[int]:
        """The model server's own processes (Java), reported apart."""


@dataclass(frozen=True)
class SamplerChoice:
    """Which sampler, and for Prometheus where it is, what it calls the model's containers, and its scrape interval.

    `{pod}` in the selector stands for the name of the model's pod. `prometheus_server_bytes`: what the model server's
    Java takes in a container, which its series hold too.
    """

    name: SamplerName = "auto"
    prometheus_url: str = ""
    prometheus_selector: str = ""
    prometheus_scrape_s: float = 15.0
    prometheus_server_bytes: int = 0


def sampler_for(server: Watched, choice: SamplerChoice) -> Sampler:
    """The sampler of this choice. "auto": the model's own control group if it has one, else its process tree.

    Raises PlatformFailure when the chosen one cannot work here.
    """
    if choice.name == "prometheus":
        return prometheus_for(choice)
    if choice.name != "process-tree":
        group = own_group(server)
        if group is not None:
            return group
        if choice.name == "cgroup":
            raise PlatformFailure("The model has no control group of its own here, whose memory could be sampled.")
    return ProcessTree(server.worker_pids, server.server_pids)


def prometheus_for(choice: SamplerChoice) -> Prometheus:
    """The sampler that asks Prometheus. Raises PlatformFailure when the choice does not say where it is."""
    if not choice.prometheus_url or not choice.prometheus_selector:
        raise PlatformFailure("To sample memory from Prometheus, say where it is and how it labels the models.")
    scrape_s, java = choice.prometheus_scrape_s, choice.prometheus_server_bytes
    return Prometheus(choice.prometheus_url, choice.prometheus_selector, scrape_s, java)


def own_group(server: Watched) -> ControlGroup | None:
    """A sampler of the model's control group; None when it has none of its own: one in which we are not, too."""
    model = server.worker_pids()
    group = group_of(model[0]) if model else None
    if group is None or os.getpid() in (members := group.members()):
        return None
    return ControlGroup(group, server.server_pids if members & set(server.server_pids()) else None)

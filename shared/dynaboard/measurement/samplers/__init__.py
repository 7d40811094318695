"""Where a model's memory is read: its process tree, a control group (v1, v2), or Prometheus; one definition of it."""

from dynaboard.measurement.samplers.cgroup import ControlGroup, Version1, Version2, group_of
from dynaboard.measurement.samplers.choice import SamplerChoice, prometheus_for, sampler_for
from dynaboard.measurement.samplers.process_tree import ProcessTree
from dynaboard.measurement.samplers.prometheus import Prometheus
from dynaboard.measurement.samplers.sample import MemoryUse, Sampler

__all__ = [
    "ControlGroup",
    "MemoryUse",
    "ProcessTree",
    "Prometheus",
    "Sampler",
    "SamplerChoice",
    "Version1",
    "Version2",
    "group_of",
    "prometheus_for",
    "sampler_for",
]

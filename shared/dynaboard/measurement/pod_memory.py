"""Memory of a model in a pod, sampled by the pod's supervisor: nothing crosses the network while it is measured."""

from dynaboard.measurement.samplers import MemoryUse
from dynaboard.measurement.samplers.choice import SamplerName
from dynaboard.runtime.control import Control


class PodMemory:
    """A sampler whose samples are taken in the pod, `hertz` times a second."""

    def __init__(self, control: Control, name: SamplerName, hertz: float) -> None:
        self.name = "pod"
        self._control = control
        self._wish = {"sampler": name, "hertz": hertz}

    def begin(self) -> None:
        """Have the pod begin. Raises PlatformFailure when it does not answer or cannot sample so."""
        self._control.post("/memory/begin", self._wish)

    def take(self) -> None:
        """The pod takes the samples."""

    def end(self) -> MemoryUse:
        """Fetch the run. Raises PlatformFailure when the pod has none or does not answer."""
        said = self._control.post("/memory/end")
        return MemoryUse(**{**said, "samples": tuple((at, size) for at, size in said["samples"])})

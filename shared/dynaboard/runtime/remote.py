"""A model in a pod, seen from the evaluator: what `ModelServer` is on one machine."""

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure
from dynaboard.manifest import Manifest, read_manifest
from dynaboard.runtime.control import Control, PodAddress, Unreachable, failure_in
from dynaboard.runtime.limits import Limits

if TYPE_CHECKING:  # measurement stands on runtime, not the other way round
    from dynaboard.measurement.host import PodHost

Role = Literal["receive", "serve"]
POLL_S = 0.1
# A question whose answer is awaited comes back after so long at the latest, and is put again.
LONG_POLL_S = 5.0
# Between a hang-up and the pod's own word on it.
SETTLE_S, SETTLE_POLL_S = 3.0, 0.1
# What TorchServe and the worker's own start may take beyond load(); the pod itself gives up before.
START_MARGIN_S = 120.0


def nobody_knows() -> DynaboardError | None:
    """For pods that nobody watches from outside."""
    return None


class RemoteServer:
    """One model pod: its init container takes the archive (`push`), its main container serves the model.

    In order: `wait_listening("receive")`, `push`, `wait_listening("serve")`, `start`, `wait_ready`; then predict at
    `address`. `post_mortem` is asked when the pod does not answer any more: what its deployer knows of its end (out of
    memory: ModelFailure; evicted, node lost: PlatformFailure). Everything blocks: call it outside an event loop.
    """

    sandbox = "pod"

    def __init__(
        self, at: PodAddress, limits: Limits, post_mortem: Callable[[], DynaboardError | None] = nobody_knows
    ) -> None:
        self.at = at
        self.limits = limits
        self.address = at.inference_url
        self.cold_start_s: float | None = None
        self.control = Control(at)
        self._post_mortem = post_mortem

    @property
    def host(self) -> "PodHost":
        """See Served."""
        from dynaboard.measurement.host import PodHost

        return PodHost(self.control)

    def wait_listening(self, role: Role, patience_s: float, given_up: Callable[[], bool] = lambda: False) -> None:
        """Wait until the container of this role answers. Raises PlatformFailure after `patience_s` or `given_up()`."""
        deadline = time.monotonic() + patience_s
        while True:
            try:
                if self.control.get("/healthz", POLL_S * 20).get("role") == role:
                    return
            except PlatformFailure:
                if time.monotonic() > deadline:
                    raise
            if given_up():
                raise PlatformFailure(f"The model's pod {self.at.name} was stopped while it started.")
            if time.monotonic() > deadline:
                raise PlatformFailure(f"The model's pod {self.at.name} does not get as far as to {role}.")
            time.sleep(POLL_S)

    def push(self, chunks: Iterable[bytes], patience_s: float) -> Manifest:
        """Send the archive to the init container, in constant memory; return the manifest in it.

        The container holds the bytes against the sha256 in its environment, unpacks them and ends. `patience_s` is the
        longest pause. Raises ModelFailure when it is no archive, PlatformFailure when it is another one or nobody
        answers, and what `chunks` raises.
        """
        return read_manifest(self.control.put("/archive", chunks, patience_s)["manifest"].encode())

    def start(self) -> None:
        """Have the main container start the model; returns at once, and may be called again. Raises PlatformFailure."""
        self.control.post("/start")

    def wait_ready(self) -> float:
        """See Served. The cold start counts from `start` in the pod, without scheduling, images and the archive."""
        deadline = time.monotonic() + self.limits.startup_s + START_MARGIN_S
        while self.cold_start_s is None:
            said = self._status(LONG_POLL_S)
            if failure := failure_in(said):
                raise failure
            if said.get("state") == "ended" or time.monotonic() > deadline:
                raise PlatformFailure(f"The model's pod {self.at.name} did not start the model.")
            self.cold_start_s = said.get("cold_start_s")
        return self.cold_start_s

    def _status(self, patience_s: float = 0.0) -> dict[str, Any]:
        """The pod's word: once it is ready or has failed, or after `patience_s`. Raises what the post-mortem tells."""
        try:
            return self.control.get(f"/status?patience={patience_s:g}", patience_s + 10)
        except Unreachable as silence:
            raise self._post_mortem() or silence from silence

    @property
    def verdict(self) -> str | None:
        """See Served. Asks the pod, or its deployer when it does not answer."""
        try:
            said = self._status().get("verdict")
        except ModelFailure as failure:
            return failure.detail
        except PlatformFailure:
            return None
        return None if said is None else str(said)

    def alive(self) -> bool:
        """See Served."""
        try:
            return bool(self._status().get("alive"))
        except DynaboardError:
            return False

    def ended_by(self) -> DynaboardError | None:
        """See Served."""
        deadline = time.monotonic() + SETTLE_S
        while time.monotonic() < deadline:
            try:
                said = self._status()
            except DynaboardError as silence:
                return silence
            if failure := failure_in(said):
                return failure
            if verdict := said.get("verdict"):
                return ModelFailure(str(verdict))
            time.sleep(SETTLE_POLL_S)
        return None

    def resident(self) -> int:
        """See Served."""
        try:
            return int(self.control.get("/memory", 2.0).get("resident", 0))
        except PlatformFailure:
            return 0

    def log_tail(self, length: int) -> str:
        """See Served."""
        try:
            return str(self.control.get(f"/log?length={length}").get("log", ""))
        except PlatformFailure:
            return ""

    def stop(self) -> None:
        """Have the pod end the model and itself; silence if it has ended already."""
        try:
            self.control.post("/stop")
        except PlatformFailure:
            return

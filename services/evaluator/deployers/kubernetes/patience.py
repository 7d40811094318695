"""How long a pod may wait for what, and what to say meanwhile. Pure: it is told the pod and the time."""

import logging
from dataclasses import dataclass

from dynaboard.errors import PlatformFailure
from services.evaluator.deployers.kubernetes import verdict
from services.evaluator.deployers.kubernetes.verdict import Pod

LOG = logging.getLogger(__name__)
WAITING = "Waiting for a free machine"
STARTING = "Getting a machine ready for the model"
NO_ROOM = "No machine of the cluster had room for the model within {waited:g} s."
NOT_COMING = "The machine did not start the model's pod within {waited:g} s."


class NoRoom(PlatformFailure):
    """No machine of the cluster has room for the model just now; try again in a minute."""

    status = 503


@dataclass
class Patience:
    """Seconds that a pod may wait for a node with room, and then for its image; `since` is when the waiting began."""

    scheduling_s: float
    image_pull_s: float
    since: float
    words: str | None = None

    def waits_for(self, pod: Pod, now: float) -> str:
        """What to say. Raises PlatformFailure when it has waited for too long."""
        words = verdict.unscheduled(pod)
        if words != self.words:
            if words:
                LOG.info("no node for a model's pod: %s", words)
            # Its node is another thing to wait for than its image; and a measurement that keeps the node has an end.
            if words is None or (self.words is not None and verdict.waits_for_a_measurement(self.words)):
                self.since = now
            self.words = words
        if words is None:
            self._image(pod, now)
            return STARTING
        if verdict.waits_for_a_measurement(words):
            self.since = now
        if now - self.since > self.scheduling_s:
            raise NoRoom(NO_ROOM.format(waited=self.scheduling_s))
        return WAITING

    def _image(self, pod: Pod, now: float) -> None:
        if now - self.since > self.image_pull_s:
            if verdict.late_image(pod):
                raise PlatformFailure(verdict.NO_IMAGE)
            raise PlatformFailure(NOT_COMING.format(waited=self.image_pull_s))

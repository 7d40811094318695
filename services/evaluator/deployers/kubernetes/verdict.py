"""From a pod as Kubernetes describes it to what it means, for whom, and whose fault it is. Pure.

A pod is the API's JSON, None when the cluster has none of that name. The sentences are read by submitters.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure, readable
from dynaboard.runtime.limits import Limits, size_text
from dynaboard.runtime.pod.options import MODEL_FAILED, PLATFORM_FAILED
from dynaboard.runtime.watchdog import needs_more_memory
from services.evaluator.deployers.kubernetes.manifest import MODEL, MODEL_VOLUME, RECEIVE

Pod = Mapping[str, Any]
AGAIN = "it starts again on another one"
REMOVED = "The model's pod was removed from the cluster while it ran; it starts again in a new one."
AWAY = f"The machine that ran your model went away; {AGAIN}."
PREEMPTED = f"The machine that ran your model was needed for something more urgent; {AGAIN}."
CROWDED = f"The machine that ran your model ran short of resources, by no fault of the model; {AGAIN}."
REFUSED = f"The machine that was to run your model could not take it; {AGAIN}."
NO_IMAGE = "The platform's model server image cannot be pulled. Tell the operator."
LONGEST = "The model's pod reached the end of its time, which no evaluation does; it starts again in a new one."
# The image that never comes, and that which may still come.
NO_IMAGES = {"InvalidImageName", "ErrImageNeverPull", "ImageInspectError"}
LATE_IMAGES = {"ErrImagePull", "ImagePullBackOff", "RegistryUnavailable"}
# A container that the node cannot make or start; the last is what a restarting one would show.
NOT_MADE = {
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "StartError",
    "ContainerCannotRun",
    "CrashLoopBackOff",
}
DISRUPTIONS = {
    "PreemptionByScheduler": PREEMPTED,
    "DeletionByTaintManager": AWAY,
    "EvictionByEvictionAPI": AWAY,
    "DeletionByPodGC": AWAY,
    "TerminationByKubelet": CROWDED,
}
# Why a pod as a whole failed, where its containers did not.
REASONS = {
    "NodeLost": AWAY,
    "NodeShutdown": AWAY,
    "Terminated": AWAY,
    "Shutdown": AWAY,
    "Preempting": PREEMPTED,
    "NodeAffinity": REFUSED,
    "UnexpectedAdmissionError": REFUSED,
    "DeadlineExceeded": LONGEST,
}
LONGEST_DETAIL = 1_000
OWN_VOLUME = re.compile(r'Usage of EmptyDir volume "([^"]+)" exceeds the limit "([^"]+)"')
OWN_STORAGE = re.compile(r"(ephemeral local storage usage exceeds|exceeded its local ephemeral storage limit)")


def fate(pod: Pod | None, limits: Limits, disk_bytes: int) -> DynaboardError | None:
    """What ended this pod, or is about to; None while it is as it should be."""
    if pod is None:
        return PlatformFailure(REMOVED)
    status = pod.get("status") or {}
    return (
        _evicted(status, limits, disk_bytes)
        or _of_the_model(pod, limits)
        or _disrupted(pod)
        or _of_a_container(pod)
        or _as_a_whole(pod)
    )


def unscheduled(pod: Pod) -> str | None:
    """The scheduler's words about a pod that has no node, empty while it has said nothing; None when it has one."""
    if (pod.get("spec") or {}).get("nodeName"):
        return None
    scheduled = _condition(pod, "PodScheduled")
    return str(scheduled.get("message") or scheduled.get("reason") or "")


def waits_for_a_measurement(words: str) -> bool:
    """Whether a node with room is only kept by another model's measurement: that ends, so it is worth waiting for."""
    return "anti-affinity" in words


def late_image(pod: Pod) -> bool:
    """Whether its node tries to get an image again and again."""
    return any((state.get("waiting") or {}).get("reason") in LATE_IMAGES for state in _states(pod))


def receives(pod: Pod) -> bool:
    """Whether it waits for its archive."""
    return bool(_state_of(pod, RECEIVE, init=True).get("running"))


def runs(pod: Pod) -> bool:
    """Whether the model's container runs."""
    return bool(_state_of(pod, MODEL).get("running")) and not (pod.get("metadata") or {}).get("deletionTimestamp")


def _evicted(status: Mapping[str, Any], limits: Limits, disk_bytes: int) -> DynaboardError | None:
    if status.get("reason") != "Evicted":
        return None
    message = str(status.get("message", ""))
    volume = OWN_VOLUME.search(message)
    if volume and volume.group(1) == MODEL_VOLUME:
        return ModelFailure(f"The archive takes more than the {size_text(disk_bytes)} of disk that a model may have.")
    if volume or OWN_STORAGE.search(message):
        size = size_text(limits.scratch_bytes)
        return ModelFailure(f"The model wrote more than the {size} of temporary files that it may.")
    return PlatformFailure(CROWDED)


def _of_the_model(pod: Pod, limits: Limits) -> DynaboardError | None:
    """Only the model can make its own container run out of memory: what else is in it has room of its own."""
    state = _state_of(pod, MODEL)
    if (state.get("terminated") or {}).get("reason") == "OOMKilled":
        return ModelFailure(needs_more_memory(limits))
    return None


def _disrupted(pod: Pod) -> DynaboardError | None:
    disruption = _condition(pod, "DisruptionTarget")
    if disruption.get("status") == "True":
        return PlatformFailure(DISRUPTIONS.get(str(disruption.get("reason")), AWAY))
    metadata, status = pod.get("metadata") or {}, pod.get("status") or {}
    lost = status.get("phase") == "Unknown" or status.get("reason") == "NodeLost"
    if lost or (_condition(pod, "Ready").get("status") == "Unknown"):
        return PlatformFailure(AWAY)
    if metadata.get("deletionTimestamp"):
        return PlatformFailure(REMOVED)
    return None


def _of_a_container(pod: Pod) -> DynaboardError | None:
    for state in _states(pod):
        waiting = state.get("waiting") or {}
        reason = str(waiting.get("reason", ""))
        if reason in NO_IMAGES:
            return PlatformFailure(NO_IMAGE)
        if reason in NOT_MADE:
            return PlatformFailure(f"The machine could not start the model's pod ({reason}). Tell the operator.")
    received = _state_of(pod, RECEIVE, init=True).get("terminated") or {}
    if received.get("exitCode"):
        # Unpacking takes little memory however large the archive is: running out of it is our fault.
        said = f"The model's archive could not be brought to its pod ({_ended(received)})."
        return _told(received) or PlatformFailure(said)
    served = _state_of(pod, MODEL).get("terminated")
    if served:
        said = f"The model's pod ended by itself ({_ended(served)}); it starts again in a new one."
        return _told(served) or PlatformFailure(said)
    return None


def _told(terminated: Mapping[str, Any]) -> DynaboardError | None:
    """What our program in the pod said at its end. A model can forge its words, but not its exit code, which judges."""
    kind = {MODEL_FAILED: ModelFailure, PLATFORM_FAILED: PlatformFailure}.get(terminated.get("exitCode") or 0)
    if kind is None:
        return None
    try:
        detail = readable(str(json.loads(terminated.get("message") or "")["detail"]))[:LONGEST_DETAIL]
    except (ValueError, TypeError, KeyError):
        detail = ""
    return kind(detail or f"The model's server ended ({_ended(terminated)}).")


def _as_a_whole(pod: Pod) -> DynaboardError | None:
    status = pod.get("status") or {}
    if status.get("phase") not in ("Failed", "Succeeded"):
        return None
    reason = str(status.get("reason", ""))
    if reason.startswith("OutOf"):
        return PlatformFailure(REFUSED)
    told = REASONS.get(reason)
    return PlatformFailure(
        told or f"The model's pod ended ({reason or status['phase']}); it starts again in a new one."
    )


def _ended(terminated: Mapping[str, Any]) -> str:
    return f"{terminated.get('reason', 'ended')}, exit code {terminated.get('exitCode')}"


def _condition(pod: Pod, kind: str) -> Mapping[str, Any]:
    found = (one for one in (pod.get("status") or {}).get("conditions") or () if one.get("type") == kind)
    return next(found, {})


def _states(pod: Pod) -> list[Mapping[str, Any]]:
    status = pod.get("status") or {}
    containers = [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
    return [container.get("state") or {} for container in containers]


def _state_of(pod: Pod, name: str, init: bool = False) -> Mapping[str, Any]:
    statuses = (pod.get("status") or {}).get("initContainerStatuses" if init else "containerStatuses") or ()
    return next((container.get("state") or {} for container in statuses if container.get("name") == name), {})

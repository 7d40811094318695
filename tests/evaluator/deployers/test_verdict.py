"""What a pod's state means: whose fault, in which words. The states are as clusters have written them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure
from dynaboard.runtime import Limits
from dynaboard.runtime.watchdog import needs_more_memory
from services.evaluator.deployers.kubernetes import verdict

LIMITS = Limits(memory_bytes=1024**3, scratch_bytes=256 * 1024**2)
DISK = 10 * 1024**3
NODE = {"nodeName": "node-7"}
RUNNING = {"running": {"startedAt": "2026-11-21T06:50:00Z"}}
DONE = {"terminated": {"exitCode": 0, "reason": "Completed"}}
WAITING = {"waiting": {"reason": "PodInitializing"}}


def pod(phase: str = "Running", **status: Any) -> dict[str, Any]:
    """A pod on a node."""
    return {"metadata": {"name": "x"}, "spec": NODE, "status": {"phase": phase, **status}}


def containers(receive: dict[str, Any], model: dict[str, Any]) -> dict[str, Any]:
    """The states of both containers."""
    return {
        "initContainerStatuses": [{"name": "receive", "state": receive, "restartCount": 0}],
        "containerStatuses": [{"name": "model", "state": model, "restartCount": 0}],
    }


def terminated(reason: str, code: int) -> dict[str, Any]:
    """A container that has ended."""
    return {"terminated": {"reason": reason, "exitCode": code}}


def condition(kind: str, status: str, reason: str, message: str = "") -> dict[str, Any]:
    """One condition of a pod."""
    return {"conditions": [{"type": kind, "status": status, "reason": reason, "message": message}]}


def judged(one: dict[str, Any] | None) -> DynaboardError:
    """Its end, which it must have."""
    found = verdict.fate(one, LIMITS, DISK)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "healthy",
    [
        {"metadata": {}, "spec": {}, "status": {"phase": "Pending"}},
        pod("Pending", **containers(WAITING, WAITING)),
        pod("Pending", **containers(RUNNING, WAITING)),
        pod("Pending", **containers(DONE, WAITING)),
        pod("Running", **containers(DONE, RUNNING)),
        pod("Running", **containers(DONE, RUNNING), **condition("Ready", "False", "ContainersNotReady")),
        pod("Pending", **containers({"waiting": {"reason": "ContainerCreating"}}, WAITING)),
    ],
)
def test_a_pod_on_its_way_or_at_work_has_no_fate(healthy: dict[str, Any]) -> None:
    assert verdict.fate(healthy, LIMITS, DISK) is None


def test_a_model_that_outgrows_its_memory_hears_the_same_sentence_as_on_one_machine() -> None:
    failure = judged(pod("Failed", **containers(DONE, terminated("OOMKilled", 137))))
    assert isinstance(failure, ModelFailure)
    assert failure.detail == needs_more_memory(LIMITS) == "The model needs more than the 1 GiB it may use."


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (
            'Usage of EmptyDir volume "tmp" exceeds the limit "268435456". ',
            "The model wrote more than the 256 MiB of temporary files that it may.",
        ),
        (
            "Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. ",
            "The model wrote more than the 256 MiB of temporary files that it may.",
        ),
        (
            'Container model exceeded its local ephemeral storage limit "2Gi". ',
            "The model wrote more than the 256 MiB of temporary files that it may.",
        ),
        (
            'Usage of EmptyDir volume "model" exceeds the limit "10Gi". ',
            "The archive takes more than the 10 GiB of disk that a model may have.",
        ),
    ],
)
def test_a_model_evicted_for_what_it_wrote_itself_is_to_blame(message: str, sentence: str) -> None:
    evicted = pod("Failed", reason="Evicted", message=message, **containers(DONE, terminated("Error", 137)))
    failure = judged(evicted)
    assert isinstance(failure, ModelFailure)
    assert failure.detail == sentence


def test_what_our_program_in_the_pod_says_is_judged_by_its_exit_code_not_by_its_words() -> None:
    words = {"message": '{"kind": "platform", "detail": "load() did not finish within 5 s."}'}
    by_model, by_us, silent = (
        judged(pod("Failed", **containers(DONE, {"terminated": {"reason": "Error", "exitCode": code, **said}})))
        for code, said in ((10, words), (11, words), (10, {"message": "{"}))
    )
    assert isinstance(by_model, ModelFailure)
    assert isinstance(by_us, PlatformFailure)
    assert by_model.detail == by_us.detail == "load() did not finish within 5 s."
    assert isinstance(silent, ModelFailure)
    damaged = {"message": '{"detail": "The archive is no zip file."}', "exitCode": 10, "reason": "Error"}
    assert isinstance(judged(pod("Failed", **containers({"terminated": damaged}, WAITING))), ModelFailure)


OURS: list[tuple[dict[str, Any] | None, str]] = [
    (None, verdict.REMOVED),
    ({**pod(**containers(DONE, RUNNING)), "metadata": {"deletionTimestamp": "2026-11-21T07:00:00Z"}}, verdict.REMOVED),
    (
        pod(
            "Failed",
            reason="Evicted",
            message="The node was low on resource: memory. Container model was using 3Gi, request is 0. ",
        ),
        verdict.CROWDED,
    ),
    (pod("Failed", reason="NodeLost", message="Node node-7 which was running pod x is unresponsive"), verdict.AWAY),
    (pod("Unknown"), verdict.AWAY),
    (pod("Failed", reason="Shutdown", message="Node is shutting down, evicting pods"), verdict.AWAY),
    (
        pod("Failed", reason="Terminated", message="Pod was terminated in response to imminent node shutdown."),
        verdict.AWAY,
    ),
    (pod(**containers(DONE, RUNNING), **condition("Ready", "Unknown", "NodeStatusUnknown")), verdict.AWAY),
    (
        pod(**containers(DONE, RUNNING), **condition("DisruptionTarget", "True", "PreemptionByScheduler")),
        verdict.PREEMPTED,
    ),
    (pod(**containers(DONE, RUNNING), **condition("DisruptionTarget", "True", "DeletionByTaintManager")), verdict.AWAY),
    (pod("Failed", **condition("DisruptionTarget", "True", "TerminationByKubelet")), verdict.CROWDED),
    (pod("Failed", **condition("DisruptionTarget", "True", "SomethingNew")), verdict.AWAY),
    (pod("Failed", reason="OutOfcpu", message="Pod Node didn't have enough resource: cpu"), verdict.REFUSED),
    (pod("Failed", reason="UnexpectedAdmissionError"), verdict.REFUSED),
    (pod("Failed", reason="DeadlineExceeded", message="Pod was active on the node longer than"), verdict.LONGEST),
    (
        pod("Pending", **containers({"waiting": {"reason": "InvalidImageName", "message": "bad"}}, WAITING)),
        verdict.NO_IMAGE,
    ),
    (
        pod(
            "Pending",
            **containers({"waiting": {"reason": "CreateContainerConfigError", "message": "no user"}}, WAITING),
        ),
        "The machine could not start the model's pod (CreateContainerConfigError). Tell the operator.",
    ),
    (
        pod("Running", **containers(DONE, {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 10s"}})),
        "The machine could not start the model's pod (CrashLoopBackOff). Tell the operator.",
    ),
    (
        pod("Failed", **containers(terminated("OOMKilled", 137), WAITING)),
        "The model's archive could not be brought to its pod (OOMKilled, exit code 137).",
    ),
    (
        pod("Failed", **containers(DONE, terminated("Error", 137))),
        "The model's pod ended by itself (Error, exit code 137); it starts again in a new one.",
    ),
    (
        pod("Succeeded", **containers(DONE, terminated("Completed", 0))),
        "The model's pod ended by itself (Completed, exit code 0); it starts again in a new one.",
    ),
    (pod("Failed"), "The model's pod ended (Failed); it starts again in a new one."),
]


@pytest.mark.parametrize(("state", "sentence"), OURS)
def test_what_no_model_can_help_is_ours(state: dict[str, Any] | None, sentence: str) -> None:
    failure = judged(state)
    assert isinstance(failure, PlatformFailure)
    assert failure.detail == sentence


def test_an_image_that_does_not_come_is_told_but_given_time() -> None:
    state = {"waiting": {"reason": "ImagePullBackOff", "message": 'Back-off pulling image "model-server:1"'}}
    late = pod("Pending", **containers(state, WAITING))
    assert verdict.fate(late, LIMITS, DISK) is None
    assert verdict.late_image(late)
    assert not verdict.late_image(pod("Pending", **containers(RUNNING, WAITING)))


def test_a_pod_without_a_node_tells_what_the_scheduler_says() -> None:
    words = "0/3 nodes are available: 3 node(s) didn't match pod affinity/anti-affinity rules."
    pending = {"spec": {}, "status": {"phase": "Pending", **condition("PodScheduled", "False", "Unschedulable", words)}}
    assert verdict.unscheduled(pending) == words
    assert verdict.waits_for_a_measurement(words)
    assert not verdict.waits_for_a_measurement("0/3 nodes are available: 3 Insufficient cpu.")
    assert verdict.unscheduled({"spec": {}, "status": {}}) == ""
    assert verdict.unscheduled(pod()) is None


def test_a_pod_takes_its_archive_first_and_then_runs_the_model() -> None:
    before, receiving, serving = (
        pod("Pending", **containers(*states)) for states in ((WAITING, WAITING), (RUNNING, WAITING), (DONE, RUNNING))
    )
    assert [verdict.receives(one) for one in (before, receiving, serving)] == [False, True, False]
    assert [verdict.runs(one) for one in (before, receiving, serving)] == [False, False, True]


words = st.dictionaries(st.sampled_from(["reason", "message", "exitCode"]), st.text())


@given(
    phase=st.sampled_from(["Pending", "Running", "Failed", "Succeeded", "Unknown", ""]),
    reason=st.text(),
    message=st.text(),
    state=st.dictionaries(st.sampled_from(["waiting", "running", "terminated"]), words),
)
def test_a_state_nobody_has_seen_is_never_the_models_fault(
    phase: str, reason: str, message: str, state: dict[str, Any]
) -> None:
    strange = pod(phase, reason=f"X{reason}", message=message, **containers(state, {}))
    assert not isinstance(verdict.fate(strange, LIMITS, DISK), ModelFailure)

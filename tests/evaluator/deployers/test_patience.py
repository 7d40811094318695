"""How long a pod is waited for: for a node with room so long, for a measurement to end as long as it takes."""

from typing import Any

import pytest

from dynaboard.errors import PlatformFailure
from services.evaluator.deployers.kubernetes.patience import STARTING, WAITING, NoRoom, Patience

FULL = "0/3 nodes are available: 3 Insufficient cpu."
MEASURING = "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules."
SCHEDULED: dict[str, Any] = {"spec": {"nodeName": "node-7"}, "status": {"phase": "Pending"}}


def unscheduled(words: str) -> dict[str, Any]:
    """A pod for which the scheduler finds no node."""
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": words}
    return {"spec": {}, "status": {"phase": "Pending", "conditions": [condition]}}


def pulling(reason: str) -> dict[str, Any]:
    """A pod on a node whose image does not come."""
    state = {"waiting": {"reason": reason, "message": "back-off"}}
    return SCHEDULED | {"status": {"phase": "Pending", "initContainerStatuses": [{"name": "receive", "state": state}]}}


@pytest.fixture
def patience() -> Patience:
    """A hundred seconds for a node, ten for the image, from second 0 on."""
    return Patience(scheduling_s=100, image_pull_s=10, since=0)


def test_a_full_cluster_is_told_of_and_given_its_time(patience: Patience) -> None:
    assert [patience.waits_for(unscheduled(FULL), now) for now in (1.0, 99.0)] == [WAITING, WAITING]
    with pytest.raises(NoRoom, match=r"had room for the model within 100 s\."):
        patience.waits_for(unscheduled(FULL), 101.0)


def test_a_scheduler_that_is_silent_is_not_waited_for_for_ever(patience: Patience) -> None:
    assert patience.waits_for({"spec": {}, "status": {}}, 1.0) == WAITING
    with pytest.raises(NoRoom):
        patience.waits_for({"spec": {}, "status": {}}, 101.0)


def test_a_measurement_that_keeps_the_node_is_waited_for_as_long_as_it_takes(patience: Patience) -> None:
    for hour in range(1, 24):
        assert patience.waits_for(unscheduled(MEASURING), hour * 3600.0) == WAITING
    over = 23 * 3600.0
    assert patience.waits_for(unscheduled(FULL), over + 99) == WAITING
    with pytest.raises(NoRoom):
        patience.waits_for(unscheduled(FULL), over + 201)


def test_the_time_for_the_image_begins_with_the_node(patience: Patience) -> None:
    patience.waits_for(unscheduled(FULL), 50.0)
    assert [patience.waits_for(SCHEDULED, now) for now in (60.0, 69.0)] == [STARTING, STARTING]
    with pytest.raises(PlatformFailure, match=r"The machine did not start the model's pod within 10 s\."):
        patience.waits_for(SCHEDULED, 71.0)


def test_an_image_that_cannot_be_pulled_is_the_operators_to_mend(patience: Patience) -> None:
    assert patience.waits_for(pulling("ErrImagePull"), 1.0) == STARTING
    with pytest.raises(PlatformFailure, match=r"image cannot be pulled\. Tell the operator\."):
        patience.waits_for(pulling("ImagePullBackOff"), 12.0)

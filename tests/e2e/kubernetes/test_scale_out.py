"""Several evaluators share one queue, and measurements never share a node."""

from itertools import combinations
from pathlib import Path

from tests.e2e.kubernetes.cluster import is_ready, until
from tests.e2e.kubernetes.history import watched
from tests.e2e.kubernetes.installation import RELEASE, Installation
from tests.e2e.kubernetes.submissions import SLOW, write_model


def scale(found: Installation, replicas: int) -> None:
    """kubectl scale deployment evaluator; without waiting."""
    body = {"spec": {"replicas": replicas}}
    found.cluster.apps.patch_namespaced_deployment_scale(f"{RELEASE}-evaluator", found.namespace, body)


def test_three_evaluators_share_the_queue_one_measuring_at_a_time_on_a_node_and_scaling_loses_nothing(
    platform: Installation, tmp_path: Path
) -> None:
    folders = [write_model(tmp_path, f"one-of-{number}", SLOW.format(seconds=0.02)) for number in range(4)]
    with watched(platform.cluster, platform.models) as history:
        scale(platform, 3)
        try:
            until(lambda: sum(map(is_ready, platform.pods("evaluator"))) == 3, 180, "three evaluators")
            submissions = [platform.submit(folder) for folder in folders]
            first = [platform.ended(each) for each in submissions[:2]]
        finally:
            scale(platform, 1)
        until(lambda: len(platform.pods("evaluator")) == 1, 120, "one evaluator is left")
        views = first + [platform.ended(each) for each in submissions[2:]]

    assert [view.status for view in views] == ["finished"] * 4, [view.reason for view in views]
    lives = history.of("evaluation")
    assert len({life.pod.metadata.labels["dynaboard.org/evaluator"] for life in lives}) >= 2
    together = [
        (one.pod.metadata.name, other.pod.metadata.name)
        for one, other in combinations(lives, 2)
        if one.overlaps(other) and one.pod.spec.node_name == other.pod.spec.node_name
    ]
    assert together == []

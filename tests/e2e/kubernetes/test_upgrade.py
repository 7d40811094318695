"""Upgrade and rollback under load: no request fails, the tables are migrated once, what was made stays."""

import json
import os
from pathlib import Path

import helm_python
import pytest
from kubernetes import client

from tests.e2e.kubernetes.cluster import Cluster, until
from tests.e2e.kubernetes.evaluations import add_datasets
from tests.e2e.kubernetes.history import watched
from tests.e2e.kubernetes.installation import (
    CHART,
    RELEASE,
    Installation,
    images,
    installed,
    merged,
    small_values,
)
from tests.e2e.kubernetes.load import visited

TWO_OF_EACH = {"gateway": {"replicas": 2}, "scoring": {"replicas": 2}}


@pytest.fixture
def previous_chart(tmp_path: Path) -> Path:
    """The chart of the release before: DYNABOARD_E2E_PREVIOUS_CHART, else this one under an older number."""
    given = os.environ.get("DYNABOARD_E2E_PREVIOUS_CHART")
    return Path(given or helm_python.package(CHART, destination=tmp_path, version="0.0.1"))


def previous_values() -> dict[str, object]:
    """The images of the release before: DYNABOARD_E2E_PREVIOUS_TAG, else the same ones."""
    prefix, tag = images()
    tag = os.environ.get("DYNABOARD_E2E_PREVIOUS_TAG", tag)
    return merged(TWO_OF_EACH, {"image": {"repository": f"{prefix}/services", "tag": tag}})


def test_no_request_fails_while_the_chart_is_upgraded_and_rolled_back(
    cluster: Cluster, models: Path, previous_chart: Path
) -> None:
    with installed(cluster, previous_values(), previous_chart) as found:
        with found.client() as platform:
            add_datasets(platform)
        found.cli("submit", str(models / "majority-sentiment"), "--publish", "--follow")
        board, secret = found.cli("leaderboard", "sentiment", "--json"), secrets_of(found)
        prefix, tag = images()
        address = f"http://{RELEASE}-gateway.{found.namespace}"
        with visited(cluster, found.namespace, f"{prefix}/services:{tag}", address) as load:
            changed = {"settings": {"DYNABOARD_LOG_LEVEL": "DEBUG"}, "image": small_values()["image"]}
            with watched(cluster, found.namespace) as history:
                found.upgrade(changed)
            hooks = [life.pod for life in history.lives.values() if is_migration(life.pod)]
            old = {pod.metadata.uid for pod in found.pods("gateway")}
            with found.helm() as helm:
                helm.rollback(RELEASE, version=1, wait="watcher", timeout=300)
            until(lambda: old.isdisjoint(pod.metadata.uid for pod in found.pods("gateway")), 120, "rolled back")
            with found.helm() as helm:
                revisions = [(entry["revision"], entry["status"]) for entry in helm.history(RELEASE)]

        print(f"{load.requests} requests, {len(load.failed)} failed")
        assert load.failed == ()
        assert load.requests > 100
        assert [pod.status.phase for pod in hooks] == ["Succeeded"]
        assert len(table_versions(found)) == 1
        assert secrets_of(found) == secret
        assert rows(found.cli("leaderboard", "sentiment", "--json")) == rows(board)
        assert revisions[-1] == (3, "deployed")


def is_migration(pod: client.V1Pod) -> bool:
    """Whether a pod is that of an upgrade's hook, not that of the install, which stays a while."""
    job = (pod.metadata.labels or {}).get("job-name", "")
    return bool(job == f"{RELEASE}-migrate")


def secrets_of(found: Installation) -> dict[str, str]:
    """What was made at the first install."""
    return dict(found.cluster.core.read_namespaced_secret(RELEASE, found.namespace).data)


def table_versions(found: Installation) -> list[str]:
    """What alembic has noted in the trial's database: one revision, unless two branches were applied."""
    (postgresql,) = found.pods("postgresql")
    ask = "psql -h 127.0.0.1 -U dynaboard -tA -c 'SELECT version_num FROM alembic_version' dynaboard"
    command = f'PGPASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")" {ask}'
    return found.cluster.run(postgresql, ["sh", "-c", command]).output.split()


def rows(board: str) -> list[object]:
    """The models of a printed board, with their numbers."""
    return [(row["name"], row["score"], row["metrics"]) for row in json.loads(board)["rows"]]

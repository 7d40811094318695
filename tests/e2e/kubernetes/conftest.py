"""One cluster and, for most tests, one installation of the chart for the whole run: `make e2e-kubernetes`."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dynaboard.nlp_tasks import TASKS
from examples.build import build, training_file
from tests.e2e.kubernetes.cluster import Cluster, connect
from tests.e2e.kubernetes.evaluations import add_datasets
from tests.e2e.kubernetes.installation import Installation, installed, opened

FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder needs a cluster, and patience."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.kubernetes)
            item.add_marker(pytest.mark.timeout(1200))
            # The kubernetes client leaves sockets to the garbage collector.
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Note which tests fail, for the fixture that says what the cluster looked like then."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The cluster of KUBECONFIG. Who asks for these tests means them to run, so none is a failure."""
    try:
        found = connect()
    except RuntimeError as error:
        pytest.fail(str(error), pytrace=False)
    yield found
    found.close()


@pytest.fixture(scope="session")
def shared_installation(cluster: Cluster) -> Iterator[Installation]:
    """An installation with the example datasets, for all tests that do not break it.

    Who writes tests may name one that is there already, and stays: DYNABOARD_E2E_NAMESPACE.
    """
    there = os.environ.get("DYNABOARD_E2E_NAMESPACE")
    with opened(cluster, there) if there else installed(cluster) as found:
        with found.client() as platform:
            add_datasets(platform)
        yield found


@pytest.fixture
def platform(shared_installation: Installation, request: pytest.FixtureRequest) -> Iterator[Installation]:
    """The shared installation; when the test fails, what its pods are and say."""
    yield shared_installation
    if request.node.stash.get(FAILED, False):
        print(shared_installation.described())


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of example models, trained anew: majority, tfidf and fasttext for sentiment."""
    folder = tmp_path_factory.mktemp("models")
    task = TASKS["sentiment"]
    train = training_file(Path("examples/datasets"), task)
    for kind in ("majority", "tfidf", "fasttext"):
        build(kind, task, train, folder / f"{kind}-sentiment")
    return folder

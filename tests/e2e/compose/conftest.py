"""The platform in containers, once for all tests: `make images e2e-compose`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.compose.composition import Composition, composed, lacking
from tests.e2e.kubernetes.evaluations import add_datasets


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder needs a container engine, and patience."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.compose)
            item.add_marker(pytest.mark.timeout(2400))


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Composition]:
    """The running platform. Without an engine or the images: skipped, with the reason."""
    if reason := lacking():
        pytest.skip(f"NOT TESTED: {reason}")
    with composed(tmp_path_factory.mktemp("compose")) as found:
        yield found


@pytest.fixture(scope="session")
def with_datasets(platform: Composition) -> Composition:
    """The platform with the example test sets of sentiment."""
    with platform.client() as client:
        add_datasets(client)
    return platform

"""A gateway to talk to, and a client that does."""

from collections.abc import Iterator

import pytest

from dynaboard.client import Client
from tests.client import fake_gateway
from tests.client.fake_gateway import Gateway


@pytest.fixture(scope="session")
def running_gateway() -> Iterator[Gateway]:
    """One server a run."""
    with fake_gateway.running() as gateway:
        yield gateway


@pytest.fixture
def gateway(running_gateway: Gateway) -> Gateway:
    """A gateway that knows nothing yet."""
    running_gateway.forget()
    return running_gateway


@pytest.fixture
def client(gateway: Gateway) -> Iterator[Client]:
    """Ada's client."""
    with Client(gateway.url, "ada-key") as client:
        yield client

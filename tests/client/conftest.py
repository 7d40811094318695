"""A gateway to talk to, and a client that does."""

from collections.abc import Iterator

import pytest

from dynaboard.client import Client
from tests.client import fake_gateway
from tests.client.fake_gateway import Gateway


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    """A running gateway of this test's own."""
    with fake_gateway.running() as gateway:
        yield gateway


@pytest.fixture
def client(gateway: Gateway) -> Iterator[Client]:
    """Ada's client."""
    with Client(gateway.url, "ada-key") as client:
        yield client

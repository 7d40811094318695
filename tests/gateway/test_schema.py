"""Schemathesis: what the document promises, the gateway and the real services behind it keep, whatever is sent."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from dynaboard import embedded
from services.gateway.app import create_app
from services.gateway.settings import GatewaySettings
from tests.conftest import INTERNAL_TOKEN
from tests.gateway.conftest import ADMIN_KEY
from tests.gateway.real import running

PLENTY = 10**6


@pytest.fixture(scope="module")
def gateway_client(
    module_database_url: str, s3_address: embedded.S3Address, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """The whole platform behind the gateway."""
    folder: Path = tmp_path_factory.mktemp("platform")
    shared = {
        "data_dir": folder,
        "database_url": module_database_url,
        "s3_url": s3_address.url,
        "s3_access_key": s3_address.access_key,
        "s3_secret_key": s3_address.secret_key,
        "s3_bucket": f"test-{uuid4().hex}",
        "internal_token": INTERNAL_TOKEN,
    }
    limits = {"requests_per_minute": PLENTY, "predictions_per_minute": PLENTY}
    with running(shared, admin_key=ADMIN_KEY, **limits) as client:
        yield client


def described() -> BaseSchema:
    """The API's own description; events never end, so they are left out."""
    app = create_app(GatewaySettings(database_url="postgresql://nobody@127.0.0.1:9/nothing"))
    return schemathesis.openapi.from_dict(app.openapi()).exclude(path_regex="/events$")


@described().parametrize()
@settings(max_examples=8, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_the_document_keeps_its_promises(case: schemathesis.Case, gateway_client: httpx.Client) -> None:
    case.call_and_validate(
        base_url=str(gateway_client.base_url).removesuffix("/api/v1/"),
        headers={"Authorization": f"Bearer {ADMIN_KEY}"},
        # A schema cannot say "not all weights 0" or "a task, or an entry of the catalogue"; and we read 0 as false.
        excluded_checks=[positive_data_acceptance, negative_data_rejection],
    )

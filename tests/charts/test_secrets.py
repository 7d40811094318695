"""Secrets are in Secrets, and only those get one that need it."""

import base64
import json

import pytest

from dynaboard.bundle.signature import SigningKey
from tests.charts.rendered import SERVICES, VALUES, documents, named, of_kind, pods

GIVEN = {
    "gateway": {"DATABASE_URL", "INTERNAL_TOKEN", "ADMIN_KEY", "TELEMETRY_TOKEN"},
    "upload": {"DATABASE_URL", "INTERNAL_TOKEN", "S3_ACCESS_KEY", "S3_SECRET_KEY"},
    "evaluator": {"DATABASE_URL", "INTERNAL_TOKEN", "S3_ACCESS_KEY", "S3_SECRET_KEY"},
    "scoring": {"DATABASE_URL", "INTERNAL_TOKEN", "S3_ACCESS_KEY", "S3_SECRET_KEY", "SIGNING_KEY"},
}


def values_of(name: str) -> dict[str, str]:
    """Every value of every Secret."""
    return {
        f"{secret['metadata']['name']}/{key}": base64.b64decode(value).decode()
        for secret in of_kind(name, "Secret")
        for key, value in secret["data"].items()
    }


@pytest.mark.parametrize("name", VALUES)
def test_no_secret_is_anywhere_but_in_a_secret(name: str) -> None:
    others = json.dumps([document for document in documents(name) if document["kind"] != "Secret"])
    secrets = {title: value for title, value in values_of(name).items() if value != "dynaboard"}
    assert [title for title, value in secrets.items() if value in others] == []


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("name", ["trial", "external"])
def test_each_service_gets_the_secrets_that_it_needs(name: str, service: str) -> None:
    (container,) = named(name, "Deployment", f"-{service}")["spec"]["template"]["spec"]["containers"]
    given = {env["name"] for env in container["env"] if "secretKeyRef" in env.get("valueFrom", {})}
    assert given == {f"DYNABOARD_{secret}" for secret in GIVEN[service]}


@pytest.mark.parametrize("name", VALUES)
def test_every_secret_that_is_asked_for_is_made_or_named_by_the_operator(name: str) -> None:
    made = {secret["metadata"]["name"]: secret["data"].keys() for secret in of_kind(name, "Secret")}
    for _, pod in pods(documents(name)):
        for container in pod["spec"].get("initContainers", []) + pod["spec"]["containers"]:
            for env in container.get("env", []):
                reference = env.get("valueFrom", {}).get("secretKeyRef")
                if reference and reference["name"].startswith("demo"):
                    assert reference["key"] in made[reference["name"]]
                elif reference:
                    assert reference["name"] in {"db", "s3", "keys"}


def test_the_signing_key_is_one() -> None:
    key = SigningKey(values_of("external")["demo-dynaboard/signing-key"])
    assert key.public.has_signed(b"a board", key.sign(b"a board"))


def test_each_install_has_secrets_of_its_own() -> None:
    first, second = values_of("trial"), values_of("trial without volumes")
    assert [title for title in first if first[title] == second[title]] == ["demo-dynaboard-trial/access-key"]


def test_the_trials_database_address_holds_its_password() -> None:
    secrets = values_of("trial")
    password = secrets["demo-dynaboard-trial/postgres-password"]
    address = f"postgresql://dynaboard:{password}@demo-dynaboard-postgresql:5432/dynaboard"
    assert secrets["demo-dynaboard-trial/database-url"] == address


@pytest.mark.parametrize("name", VALUES)
def test_made_secrets_outlive_the_release(name: str) -> None:
    for secret in of_kind(name, "Secret"):
        assert secret["metadata"]["annotations"] == {"helm.sh/resource-policy": "keep"}


def test_no_secret_is_made_where_all_are_named() -> None:
    assert of_kind("everything on", "Secret") == []

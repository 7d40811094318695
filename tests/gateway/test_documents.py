"""The one description of the API: complete, true to the services behind it, and shown without outside help."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from services.evaluator.app import create_app as create_evaluator
from services.evaluator.settings import EvaluatorSettings
from services.gateway.app import create_app as create_gateway
from services.gateway.settings import GatewaySettings
from services.scoring.app import create_app as create_scoring
from services.scoring.settings import ScoringSettings
from services.upload.app import create_app as create_upload
from services.upload.settings import UploadSettings

Operations = dict[tuple[str, str], dict[str, Any]]
NOWHERE: dict[str, Any] = {"database_url": "postgresql://nobody@127.0.0.1:9/nothing", "s3_url": "http://127.0.0.1:9"}
# The catalogue's schema is the evaluator's own, and a log is text, which only the gateway says.
LOOSER = {("GET", "/catalogue"), ("GET", "/submissions/{submission_id}/log")}


@pytest.fixture(scope="module")
def gateway() -> Iterator[TestClient]:
    """In process, not started: nothing here needs a database."""
    app = create_gateway(GatewaySettings(**NOWHERE))
    client = TestClient(app)
    yield client
    client.close()
    app.state.database.close()


@pytest.fixture(scope="module")
def document(gateway: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = gateway.get("/api/v1/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Operations:
    """The operations of the three services."""
    values: dict[str, Any] = {**NOWHERE, "data_dir": tmp_path_factory.mktemp("data")}
    apps = [
        create_upload(UploadSettings(**values)),
        create_evaluator(EvaluatorSettings(**values)),
        create_scoring(ScoringSettings(**values)),
    ]
    found = {key: operation for app in apps for key, operation in operations(app.openapi()).items()}
    for app in apps:
        app.state.database.close()
    return found


def operations(document: dict[str, Any]) -> Operations:
    return {
        (method.upper(), path.removeprefix("/api/v1")): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def query(operation: dict[str, Any]) -> set[str]:
    """The names in the query; `weight.performance` and its like are open-ended at the service."""
    names = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "query"}
    return {name for name in names if not name.startswith("weight.")}


def answer(operation: dict[str, Any]) -> set[str]:
    """The media types and schemas of the successful answers."""
    return {
        f"{media_type} {content['schema'].get('$ref') or content['schema'].get('items', {}).get('$ref', '')}"
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for media_type, content in response.get("content", {}).items()
        if media_type == "application/json"
    }


def test_every_route_of_a_service_is_behind_the_gateway(document: dict[str, Any], behind: Operations) -> None:
    assert behind.keys() <= operations(document).keys()


def test_queries_are_those_of_the_services(document: dict[str, Any], behind: Operations) -> None:
    public = operations(document)
    differing = {key for key, operation in behind.items() if query(public[key]) != query(operation)}
    assert differing == set()


@pytest.mark.parametrize("part", ["status", "body", "answer"])
def test_answers_and_bodies_are_those_of_the_services(document: dict[str, Any], behind: Operations, part: str) -> None:
    public = operations(document)
    look = {
        "status": lambda operation: max(status for status in operation["responses"] if status.startswith("2")),
        "body": lambda operation: [
            content["schema"].get("$ref", media_type)
            for media_type, content in operation.get("requestBody", {}).get("content", {}).items()
            if media_type == "application/json"
        ],
        "answer": answer,
    }[part]
    differing = {
        key: (look(public[key]), look(operation))
        for key, operation in behind.items()
        if look(public[key]) != look(operation) and not (part == "answer" and key in LOOSER)
    }
    assert differing == {}


def test_every_operation_says_what_it_is_for(document: dict[str, Any]) -> None:
    for key, operation in operations(document).items():
        assert operation["summary"], key
        assert operation["description"], key
        assert len(operation["tags"]) == 1, key
        assert operation["responses"]["4XX"], key


def test_the_scheme_is_a_bearer_token(document: dict[str, Any]) -> None:
    (scheme,) = document["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")


def test_there_is_one_document(gateway: TestClient) -> None:
    assert [gateway.get(path).status_code for path in ("/openapi.json", "/docs", "/redoc")] == [404] * 3


def test_the_documentation_loads_nothing_from_elsewhere(gateway: TestClient) -> None:
    page = gateway.get("/api/v1/docs")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(loaded) == 5
    for address in loaded:
        assert address.startswith(("/", "data:"))
        assert address.startswith("data:") or gateway.get(address).status_code == 200


@pytest.mark.parametrize("path", ["/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/", "/static/swagger/.."])
def test_only_static_files_are_served(gateway: TestClient, path: str) -> None:
    assert gateway.get(path).status_code == 404


def test_answers_carry_headers_that_keep_browsers_careful(gateway: TestClient) -> None:
    for path in ("/", "/api/v1/openapi.json", "/static/style.css", "/nothing"):
        headers = httpx.Headers(gateway.get(path).headers)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert (headers["x-frame-options"], headers["referrer-policy"]) == ("DENY", "no-referrer")


def test_no_page_holds_script_or_style_in_place() -> None:
    for template in Path("services/gateway/templates").glob("*.html"):
        text = template.read_text()
        assert not re.search(r"<script>|<style|\sstyle=|\son\w+=", text), template

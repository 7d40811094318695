"""What passes between the gateway and the services, and what happens when they fail."""

from collections.abc import Callable

import httpx
import pytest

from dynaboard.identity import Role
from services.upload.parts import Checksums
from tests.gateway.conftest import World

ID = "0" * 32


def test_the_query_passes_as_it_came(http: httpx.Client) -> None:
    query = "weight.memory=2&dataset_weight.hate-test=0.5&limit=10"
    assert http.get(f"/leaderboards/nli?{query}").json()["query"] == query


@pytest.mark.parametrize("field", Checksums.model_fields)
def test_every_checksum_that_upload_checks_passes(world: World, http: httpx.Client, field: str) -> None:
    name, digest = field.replace("_", "-"), "0" * (64 if field == "x_sha256" else 8)
    headers = world.headers(Role.SUBMITTER) | {name: digest}
    assert http.put(f"/submissions/{ID}/parts/1", headers=headers, content=b"part").json()["headers"][name] == digest


def test_a_body_passes_as_it_was_checked(world: World, http: httpx.Client) -> None:
    body = b'{"published":true}'
    told = http.patch(f"/models/{ID}", headers=world.headers(Role.SUBMITTER), json={"published": True}).json()
    assert (told["size"], told["headers"]["content-type"]) == (len(body), "application/json")


def test_a_request_keeps_its_id_on_the_way(http: httpx.Client) -> None:
    response = http.get("/models", headers={"x-request-id": "from-the-user"})
    assert response.headers.get_list("x-request-id") == ["from-the-user"]
    assert response.json()["headers"]["x-request-id"] == "from-the-user"


def test_internal_headers_of_an_answer_stay_inside(http: httpx.Client) -> None:
    headers = http.get("/models").headers
    assert "x-secret" not in headers
    assert headers["etag"] == '"1"'


def test_an_error_of_a_service_passes_as_it_is(world: World, http: httpx.Client) -> None:
    response = http.post(f"/submissions/{ID}/retry", headers=world.headers(Role.SUBMITTER))
    assert (response.status_code, response.json()) == (409, {"error": "Conflict", "detail": "It runs already."})


def test_the_failure_of_a_service_tells_nothing_of_its_inside(world: World, http: httpx.Client) -> None:
    response = http.get(f"/submissions/{ID}/log", headers=world.headers(Role.READER))
    assert (response.status_code, response.json()["error"]) == (500, "PlatformFailure")
    assert "secrets" not in response.text


@pytest.mark.parametrize("path", ["/models", "/catalogue", "/leaderboards/nli"])
def test_a_service_that_is_down_is_unavailable(gateway: Callable[..., httpx.Client], path: str) -> None:
    response = gateway().get(path)
    assert (response.status_code, response.json()["error"]) == (503, "Unavailable")
    assert "try again" in response.json()["detail"]


def test_an_upload_to_a_service_that_is_down_is_unavailable(
    gateway: Callable[..., httpx.Client], admin: dict[str, str]
) -> None:
    response = gateway().put(f"/submissions/{ID}/parts/1", headers=admin, content=bytes(10**6))
    assert response.status_code == 503


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [("/nothing", 404, "NotFound"), (f"/models/{ID}/x", 404, "NotFound"), ("/users/", 404, "NotFound")],
)
def test_an_unknown_address_answers_like_everything_else(
    http: httpx.Client, path: str, status: int, error: str
) -> None:
    response = http.get(path, follow_redirects=True)
    assert (response.status_code, response.json()["error"]) == (status, error)


def test_a_wrong_method_answers_like_everything_else(http: httpx.Client) -> None:
    response = http.put("/submissions")
    assert (response.status_code, response.json()["error"]) == (405, "MethodNotAllowed")
    assert response.headers["allow"] == "GET, POST"


@pytest.mark.parametrize("path", ["/models/..%2fusers", "/models/x", "/leaderboards/Chess", "/leaderboards/nli.xml"])
def test_an_address_that_names_nothing_gets_no_further(http: httpx.Client, path: str) -> None:
    assert http.get(path).status_code in {404, 422}


def test_json_of_two_mebibytes_is_refused(world: World, http: httpx.Client) -> None:
    question = {"examples": [{"statement": "x" * 3 * 1024**2}]}
    response = http.post(f"/submissions/{ID}/predict", json=question)
    assert (response.status_code, response.json()["error"]) == (413, "TooLarge")


def test_json_of_unknown_length_is_refused_where_the_limit_is(http: httpx.Client) -> None:
    pieces = (b" " * 65536 for _ in range(1000))
    url, headers = f"/submissions/{ID}/predict", {"content-type": "application/json"}
    response = http.post(url, headers=headers, content=pieces)
    assert (response.status_code, response.json()["error"]) == (413, "TooLarge")


def test_broken_json_is_told_as_such(world: World, http: httpx.Client) -> None:
    headers = world.headers(Role.SUBMITTER) | {"content-type": "application/json"}
    response = http.post("/submissions", headers=headers, content=b"{")
    assert (response.status_code, response.json()["error"]) == (422, "Invalid")

"""Who may do what, and which service is asked: every route of the API in one table."""

from typing import Any, NamedTuple

import httpx
import pytest

from dynaboard.identity import RANK, Role
from dynaboard.nlp_tasks import SHIPPED
from services.gateway.app import create_app
from services.gateway.settings import GatewaySettings
from tests.gateway.conftest import World

ID = "0123456789abcdef0123456789abcdef"
DIGEST = {"sha256": "0" * 64}
ANNOUNCED = {"task": "sentiment", "name": "mine", "size": 10}
DEFINITION = SHIPPED["sentiment"].model_dump(mode="json")
QUESTION = {"examples": [{"statement": "Well."}]}
TEXT = {"task": "sentiment", "example": {"statement": "Well."}}
ANYONE, READER, SUBMITTER, TASK_OWNER, ADMIN = Role
PART = {"content": b"123"}


class Route(NamedTuple):
    """`path` as the document writes it; the `lowest` role that may; the `service` that tells what it got."""

    method: str
    path: str
    lowest: Role
    service: str | None = None
    body: dict[str, Any] = {}  # noqa: RUF012 - never changed

    def ask(self, http: httpx.Client, headers: dict[str, str]) -> tuple[int, Any]:
        """The status, and the body where it is JSON; endless answers are not read."""
        path = self.path.format(**VALUES)
        with http.stream(self.method, path, headers=headers, **self.body) as response:
            json = response.headers.get("content-type") == "application/json"
            return response.status_code, response.read() and response.json() if json else None


ROUTES = [
    Route("GET", "/tasks", ANYONE, "scoring"),
    Route("GET", "/tasks/{task}", ANYONE, "scoring"),
    Route("PUT", "/tasks/{task}", TASK_OWNER, "scoring", {"json": DEFINITION}),
    Route("GET", "/tasks/{task}/settings", ANYONE, "scoring"),
    Route("PUT", "/tasks/{task}/settings", TASK_OWNER, "scoring", {"json": {}}),
    Route("POST", "/tasks/{task}/settings/preview", TASK_OWNER, "scoring", {"json": {}}),
    Route("GET", "/leaderboards/{task}", ANYONE, "scoring"),
    Route("GET", "/leaderboards/{task}.{extension}", ANYONE, "scoring"),
    Route("GET", "/leaderboards/{task}/difference", ANYONE, "scoring", {"params": {"from": "2026-05-03T12:00:00Z"}}),
    Route("POST", "/leaderboards/{task}/snapshots", READER, "scoring"),
    Route("GET", "/snapshots/{snapshot_id}", ANYONE, "scoring"),
    Route("GET", "/snapshots/{snapshot_id}/citation", ANYONE, "scoring"),
    Route("GET", "/snapshots/{snapshot_id}/leaderboard", ANYONE, "scoring"),
    Route("GET", "/snapshots/{snapshot_id}/bundle", ANYONE, "scoring"),
    Route("GET", "/signing-key", ANYONE, "scoring"),
    Route("GET", "/submissions/{submission_id}/bundle", READER, "scoring"),
    Route("POST", "/leaderboards/{task}/forks", READER, "scoring", {"json": {"name": "mine"}}),
    Route("GET", "/leaderboards/{task}/forks", ANYONE, "scoring"),
    Route("GET", "/forks/{fork_id}", ANYONE, "scoring"),
    Route("GET", "/leaderboards/{task}/events", ANYONE),
    Route("GET", "/leaderboards/{task}/pairs", ANYONE, "scoring"),
    Route("GET", "/leaderboards/{task}/influence", ANYONE, "scoring"),
    Route("GET", "/leaderboards/{task}/weight-map", ANYONE, "scoring"),
    Route("GET", "/leaderboards/{task}/discordance", ANYONE, "scoring", {"params": {"a": ID, "b": ID}}),
    Route("GET", "/models", ANYONE, "upload"),
    Route("GET", "/models/{model_id}", ANYONE, "upload"),
    Route("PATCH", "/models/{model_id}", SUBMITTER, "upload", {"json": {"published": True}}),
    Route("POST", "/submissions", SUBMITTER, "upload", {"json": ANNOUNCED}),
    Route("GET", "/submissions", READER, "upload"),
    Route("GET", "/submissions/{submission_id}", ANYONE, "upload"),
    Route("PUT", "/submissions/{submission_id}/parts/{number}", SUBMITTER, "upload", PART),
    Route("GET", "/submissions/{submission_id}/parts", SUBMITTER, "upload"),
    Route("POST", "/submissions/{submission_id}/complete", SUBMITTER, "upload", {"json": DIGEST}),
    Route("GET", "/submissions/{submission_id}/archive", READER),
    Route("GET", "/submissions/{submission_id}/evaluations", ANYONE, "evaluator"),
    Route("POST", "/submissions/{submission_id}/cancel", SUBMITTER, "evaluator"),
    Route("POST", "/submissions/{submission_id}/retry", SUBMITTER),
    Route("GET", "/submissions/{submission_id}/log", READER),
    Route("GET", "/submissions/{submission_id}/predictions/{dataset}", READER, "evaluator"),
    Route("POST", "/submissions/{submission_id}/predict", ANYONE, "evaluator", {"json": QUESTION}),
    Route("GET", "/submissions/{submission_id}/examples", READER, "scoring", {"params": {"dataset": "films"}}),
    Route("GET", "/submissions/{submission_id}/scores", ANYONE, "scoring"),
    Route("POST", "/datasets", TASK_OWNER, "evaluator", PART),
    Route("GET", "/datasets", ANYONE, "evaluator"),
    Route("GET", "/datasets/{dataset_id}", ANYONE, "evaluator"),
    Route("PATCH", "/datasets/{dataset_id}", TASK_OWNER, "evaluator", {"json": {"role": "standard"}}),
    Route("GET", "/datasets/{dataset_id}/sample", READER, "evaluator"),
    Route("GET", "/datasets/{dataset_id}/inputs", READER, "evaluator"),
    Route("GET", "/datasets/{dataset_id}/perturbations/{suite}", READER, "evaluator"),
    Route("GET", "/hardware", ANYONE, "scoring"),
    Route("GET", "/backfill", TASK_OWNER, "evaluator"),
    Route("GET", "/missing-metrics", TASK_OWNER, "scoring"),
    Route("POST", "/backfill/{action}", TASK_OWNER, "evaluator", {"params": {"task": "sentiment"}}),
    Route("GET", "/leaderboards/{task}/metrics/{metric}/difference", ANYONE, "scoring"),
    Route("POST", "/perturbations/{suite}", ANYONE, "evaluator", {"json": TEXT}),
    Route("GET", "/catalogue", ANYONE, "evaluator"),
    Route("GET", "/whoami", READER),
    Route("POST", "/users", ADMIN, None, {"json": {"name": "admin"}}),
    Route("GET", "/users", ADMIN),
    Route("POST", "/keys", READER, None, {"json": {}}),
    Route("GET", "/keys", READER),
    Route("DELETE", "/keys/{key_id}", READER),
]
ADDRESSES = {"snapshot_id": "k3jx7q2mza", "fork_id": "k3jx7q2mza"}
VALUES = (
    {
        "task": "sentiment",
        "extension": "csv",
        "number": 1,
        "dataset": "films",
        "suite": "fairness",
        "action": "pause",
        "metric": "accuracy",
    }
    | ADDRESSES
    | dict.fromkeys(("model_id", "submission_id", "dataset_id", "key_id"), ID)
)


def document() -> dict[str, Any]:
    app = create_app(GatewaySettings(database_url="postgresql://nobody@127.0.0.1:9/nothing"))
    return app.openapi()


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_route_is_for_its_role_and_those_above(world: World, http: httpx.Client, route: Route) -> None:
    for role in Role:
        status, body = route.ask(http, world.headers(role))
        if RANK[role] >= RANK[route.lowest]:
            assert status not in {401, 403}, (role, body)
        else:
            assert status == (401 if role == Role.ANONYMOUS else 403), (role, body)
            assert body["error"] in {"Unauthorized", "Forbidden"}


@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.service], ids=lambda route: f"{route.method} {route.path}"
)
def test_a_request_goes_to_the_service_that_owns_the_thing(world: World, http: httpx.Client, route: Route) -> None:
    status, told = route.ask(http, world.headers(Role.ADMIN))
    assert status == 200
    asked = (told["service"], told["method"], told["path"])
    assert asked == (route.service, route.method, route.path.format(**VALUES))


def test_the_table_holds_every_route_of_the_document() -> None:
    documented = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, operations in document()["paths"].items()
        for method in operations
    }
    assert documented == {(route.method, route.path) for route in ROUTES}


def test_the_document_says_which_routes_need_no_key() -> None:
    open_routes = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, operations in document()["paths"].items()
        for method, operation in operations.items()
        if {} in operation["security"]
    }
    assert open_routes == {(route.method, route.path) for route in ROUTES if route.lowest == Role.ANONYMOUS}

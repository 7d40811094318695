"""A gateway at the edge: the public API over plain dicts, so that client and command are tested over real HTTP.

Every look at a submission moves it one step of its `script` on; parts beyond `room_for` are answered with 503.
"""

import hashlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from dynaboard import errors, schemas
from tests.client import fake_views as views
from tests.client.fake_snapshots import BUNDLE, add_snapshots

PART = 64 * 1024
KEYS = {"ada-key": ("ada", "submitter"), "root-key": ("root", "admin")}
FINISHES = ("submitted", "running", "finished")
FAILS = ("submitted", "running", "failed")
WAIT_S = 10.0


@dataclass
class Gateway:
    """What the gateway knows, and what it was asked."""

    url: str = ""
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    parts: dict[str, dict[int, bytes]] = field(default_factory=dict)
    scripts: dict[str, list[str]] = field(default_factory=dict)
    script: tuple[str, ...] = FINISHES
    part_requests: list[int] = field(default_factory=list)
    room_for: int = 10**6
    board_queries: list[dict[str, str]] = field(default_factory=list)
    models: list[dict[str, Any]] = field(default_factory=lambda: [views.model()])
    dataset_uploads: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    predicted: list[dict[str, str]] = field(default_factory=list)
    keys: list[dict[str, Any]] = field(default_factory=lambda: [views.key("1" * 32, "first")])
    boards_changed: int = 2
    breaks_off: bool = False

    def forget(self) -> None:
        """As if it had just been started."""
        vars(self).update(vars(Gateway(url=self.url)))

    def add_submission(self, status: str, **fields: Any) -> str:
        """A submission that is already there; its id."""
        number = len(self.submissions) + 1
        view = views.submission(f"{number:032x}"[::-1], status) | fields
        self.submissions[view["id"]] = view
        return str(view["id"])

    def look(self, submission_id: str) -> dict[str, Any]:
        """One submission, after the next step of its script."""
        if submission_id not in self.submissions:
            raise errors.NotFound(f"There is no submission {submission_id}.")
        view, script = self.submissions[submission_id], self.scripts.get(submission_id, [])
        if script:
            view |= views.at(script.pop(0))
        return view


def caller(request: Request) -> tuple[str, str]:
    """Name and role behind the key."""
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key not in KEYS:
        raise errors.Unauthorized("This API key is not known here.")
    return KEYS[key]


CallerDep = Annotated[tuple[str, str], Depends(caller)]


def make_app(gateway: Gateway) -> FastAPI:
    """The public API over one Gateway."""
    app = FastAPI()
    app.add_exception_handler(errors.DynaboardError, _answer)
    _add_people(app, gateway)
    _add_uploads(app, gateway)
    _add_submissions(app, gateway)
    _add_models(app, gateway)
    _add_datasets(app, gateway)
    # The list is another after `forget`.
    add_snapshots(app, lambda query: gateway.board_queries.append(query))  # noqa: PLW0108
    _add_boards(app, gateway)
    return app


async def _answer(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.DynaboardError)
    return JSONResponse({"error": type(error).__name__, "detail": error.detail}, error.status)


def _add_people(app: FastAPI, gateway: Gateway) -> None:
    @app.get("/api/v1/whoami")
    def whoami(who: CallerDep) -> schemas.WhoAmI:
        return schemas.WhoAmI(name=who[0], role=who[1])

    @app.get("/api/v1/users")
    def users(_: CallerDep) -> list[dict[str, str]]:
        return [{"name": name, "role": role} for name, role in KEYS.values()]

    @app.post("/api/v1/users", status_code=201)
    def add_user(user: schemas.UserCreate, who: CallerDep) -> schemas.KeyCreated:
        if who[1] != "admin":
            raise errors.Forbidden("This needs the role admin; your API key has submitter.")
        return schemas.KeyCreated(id="1" * 32, user=user.name, role=user.role, key="dyb_new-key")

    @app.get("/api/v1/tasks")
    def tasks() -> list[dict[str, Any]]:
        return [views.TASK]

    @app.get("/api/v1/hardware")
    def hardware(task: str = "") -> list[dict[str, Any]]:
        return views.hardware()[:1] if task else views.hardware()

    @app.get("/api/v1/keys")
    def keys(_: CallerDep) -> list[dict[str, Any]]:
        return gateway.keys

    @app.post("/api/v1/keys", status_code=201)
    def add_key(key: schemas.KeyCreate, who: CallerDep) -> schemas.KeyCreated:
        gateway.keys.append(views.key(str(len(gateway.keys) + 1) * 32, key.label))
        return schemas.KeyCreated(id=gateway.keys[-1]["id"], user=who[0], role=who[1], key="dyb_new-key")

    @app.delete("/api/v1/keys/{key_id}", status_code=204)
    def revoke(key_id: str, _: CallerDep) -> None:
        next(key for key in gateway.keys if key["id"] == key_id)["revoked_at"] = views.NOW


def _add_uploads(app: FastAPI, gateway: Gateway) -> None:
    @app.post("/api/v1/submissions", status_code=201)
    def create(announced: schemas.SubmissionCreate, _: CallerDep) -> schemas.SubmissionCreated:
        made = gateway.add_submission("submitting", name=announced.name, task=announced.task, size=announced.size)
        gateway.submissions[made] |= {"published": announced.publish, "anonymous": announced.anonymous}
        gateway.parts[made] = {}
        count = -(-announced.size // PART)
        return schemas.SubmissionCreated(id=made, model_id="m" * 32, version=1, part_size=PART, parts=count)

    @app.put("/api/v1/submissions/{submission_id}/parts/{number}")
    async def put(submission_id: str, number: int, request: Request, _: CallerDep) -> dict[str, str]:
        data = await request.body()
        gateway.part_requests.append(number)
        if number > gateway.room_for:
            raise errors.Unavailable
        gateway.parts[submission_id][number] = data
        return {}

    @app.get("/api/v1/submissions/{submission_id}/parts")
    def parts(submission_id: str, _: CallerDep) -> schemas.PartsView:
        count = -(-gateway.submissions[submission_id]["size"] // PART)
        return schemas.PartsView(
            part_size=PART, parts=count, received=sorted(gateway.parts[submission_id]), restarted=False
        )

    @app.post("/api/v1/submissions/{submission_id}/complete")
    def complete(submission_id: str, claimed: schemas.Complete, _: CallerDep) -> dict[str, Any]:
        whole = b"".join(data for _, data in sorted(gateway.parts[submission_id].items()))
        if hashlib.sha256(whole).hexdigest() != claimed.sha256:
            raise errors.Invalid("The archive's sha256 is not the one announced.")
        gateway.scripts[submission_id] = list(gateway.script)
        return gateway.look(submission_id)


def _add_submissions(app: FastAPI, gateway: Gateway) -> None:
    @app.get("/api/v1/submissions")
    def listed(_: CallerDep) -> list[dict[str, Any]]:
        return list(gateway.submissions.values())[::-1]

    @app.get("/api/v1/submissions/{submission_id}/evaluations")
    def one(submission_id: str, _: CallerDep) -> dict[str, Any]:
        return gateway.look(submission_id)

    @app.post("/api/v1/submissions/{submission_id}/{verb}")
    async def change(submission_id: str, verb: str, request: Request, _: CallerDep) -> dict[str, Any]:
        view = gateway.look(submission_id)
        if verb == "predict":
            gateway.predicted += (await request.json())["examples"]
            answers = [views.ANSWER for _ in (await request.json())["examples"]]
            return {"submission_id": submission_id, "answers": answers, "milliseconds": 3.5, "started_now": True}
        if view["status"] == "finished":
            raise errors.Conflict("This submission is finished.")
        view |= views.at({"cancel": "cancelled", "retry": "submitted"}[verb])
        return view

    @app.get("/api/v1/submissions/{submission_id}/log", response_class=PlainTextResponse)
    def log(submission_id: str, _: CallerDep) -> str:
        gateway.look(submission_id)
        return "loading\nTraceback (most recent call last):\nValueError: naïve\n"

    @app.get("/api/v1/submissions/{submission_id}/bundle")
    def bundle(submission_id: str, _: CallerDep) -> Response:
        view = gateway.look(submission_id)
        if view["status"] != "finished":
            raise errors.Conflict("There are no results to put into a bundle yet; wait for the evaluation.")
        name = f"{view['name']}-v{view['version']}.bundle.tar"
        headers = {"content-disposition": f'attachment; filename="{name}"', "content-length": str(len(BUNDLE))}
        # One that breaks off promises all and sends a half.
        half = [BUNDLE[: len(BUNDLE) // 2]] if gateway.breaks_off else [BUNDLE]
        return StreamingResponse(iter(half), headers=headers)

    @app.get("/api/v1/submissions/{submission_id}/scores")
    def scores(submission_id: str, _: CallerDep) -> list[dict[str, Any]]:
        return [views.score("reviews", "accuracy", 81.25), views.score("tweets", "accuracy", 7.5)]


def _add_models(app: FastAPI, gateway: Gateway) -> None:
    @app.get("/api/v1/models")
    def models() -> list[dict[str, Any]]:
        return gateway.models

    @app.get("/api/v1/models/{model_id}")
    def model(model_id: str) -> dict[str, Any]:
        return next(view for view in gateway.models if view["id"] == model_id)

    @app.patch("/api/v1/models/{model_id}")
    def change(model_id: str, change: schemas.ModelChange, _: CallerDep) -> dict[str, Any]:
        view = next(view for view in gateway.models if view["id"] == model_id)
        view |= change.model_dump(exclude_none=True)
        return view


def _add_datasets(app: FastAPI, gateway: Gateway) -> None:
    @app.get("/api/v1/datasets")
    def datasets() -> list[dict[str, Any]]:
        return [views.dataset("reviews", 1), views.dataset("reviews", 2)]

    @app.get("/api/v1/datasets/{dataset_id}/sample")
    def sample(dataset_id: str) -> list[dict[str, str]]:
        return [{"statement": f"Seen in {dataset_id}: très bien"}]

    @app.get("/api/v1/datasets/{dataset_id}/perturbations/{suite}")
    def perturbations(suite: Literal["fairness", "robustness"], limit: int) -> list[dict[str, Any]]:
        return [views.PREVIEW][:limit]

    @app.get("/api/v1/catalogue")
    def catalogue() -> list[dict[str, Any]]:
        return [{"name": "hans", "task": "nli", "homepage": "https://example.org/hans"}]

    @app.post("/api/v1/datasets", status_code=201)
    async def add(request: Request, _: CallerDep) -> dict[str, Any]:
        gateway.dataset_uploads.append((dict(request.query_params), await request.body()))
        return views.dataset("reviews", 3)


def _add_boards(app: FastAPI, gateway: Gateway) -> None:
    @app.get("/api/v1/leaderboards/{task}.csv", response_class=PlainTextResponse)
    def table(task: str) -> str:
        return "rank,score,model\n1,71.3,tfidf\n"

    @app.get("/api/v1/leaderboards/{task}")
    def board(task: str, request: Request) -> dict[str, Any]:
        gateway.board_queries.append(dict(request.query_params))
        return views.board(task)

    @app.get("/api/v1/leaderboards/{task}/events")
    def events(task: str) -> StreamingResponse:
        event = f'event: board\ndata: {{"task": "{task}", "board": 1}}\n\n: still here\n\n'
        return StreamingResponse(iter([event] * gateway.boards_changed), media_type="text/event-stream")


@contextmanager
def running() -> Iterator[Gateway]:
    """A gateway on a free loopback port."""
    gateway = Gateway()
    server = uvicorn.Server(uvicorn.Config(make_app(gateway), port=0, log_level="error", lifespan="off"))
    started = threading.Event()
    thread = threading.Thread(target=_serve, args=(server, gateway, started), daemon=True)
    thread.start()
    assert started.wait(WAIT_S)
    yield gateway
    server.should_exit = True
    thread.join(WAIT_S)


def _serve(server: uvicorn.Server, gateway: Gateway, started: threading.Event) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    gateway.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    started.set()  # connections wait in the backlog until uvicorn takes them
    server.run(sockets=[listening])

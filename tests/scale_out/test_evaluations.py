"""Two and more of every service, some killed in the middle: nothing is lost, nothing is done twice."""

import io
import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet as pq
import pytest
from sqlalchemy import func, select, text

from dynaboard.client import Client
from dynaboard.database import Database
from dynaboard.errors import DynaboardError
from dynaboard.status import Status
from dynaboard.storage import Storage
from dynaboard.tables import Board, Evaluation, Measurement, Score, Submission
from tests.evaluator.world import SLOW, statements
from tests.scale_out.conftest import ADMIN_KEY
from tests.scale_out.replicas import Installation, until
from tests.upload.conftest import make_archive

MODELS = 4
EXAMPLES = 150


def archive(folder: Path, number: int) -> Path:
    """A model that takes eight seconds for the dataset; each has a digest of its own."""
    card = {"summary": "A model for a test", "licence": "MIT"}
    manifest = {"name": f"model-{number}", "task": "sentiment", "card": card}
    manifest |= {"handler": "handler.py:Handler", "batch_size": 2}
    handler = "".join(line.removeprefix("    ") + "\n" for line in SLOW.splitlines())
    files = {"dynaboard.yaml": json.dumps(manifest).encode(), "handler.py": handler.encode()}
    path = folder / f"{number}.zip"
    path.write_bytes(make_archive("sentiment", files=files))
    return path


class Watcher(threading.Thread):
    """Watches a board at one gateway, as a browser does; `boards` are those it was told of."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = f"{url}/api/v1/leaderboards/sentiment/events"
        self.boards: list[int] = []
        self.start()

    def run(self) -> None:
        """Until the gateway is gone."""
        while True:
            try:
                with httpx.stream("GET", self._url, timeout=120) as stream:
                    for line in stream.iter_lines():
                        if line.startswith("data: "):
                            self.boards.append(json.loads(line.removeprefix("data: "))["board"] or 0)
            except httpx.ConnectError:
                return
            except httpx.TransportError:
                continue


def add_dataset(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "examples.jsonl"
    file.write_text("".join(json.dumps(example) + "\n" for example in statements(EXAMPLES, "waits")))
    words = {"task": "sentiment", "name": "weather", "role": "scoring", "format": "jsonl"}
    words |= {"licence": "CC0-1.0", "citation": "This test."}
    client.datasets.add(file, words)


def is_running(database: Database, count: int) -> bool:
    query = select(func.count()).where(Submission.status == Status.RUNNING, Submission.step.like("Predicting%:%"))
    with database.begin() as db:
        return (db.scalar(query) or 0) >= count


def has_landed(database: Database, count: int) -> bool:
    with database.begin() as db:
        failed = db.scalars(select(Submission.reason).where(Submission.status == Status.FAILED)).all()
        finished = db.scalar(select(func.count()).where(Submission.status == Status.FINISHED)) or 0
    assert not failed
    return finished >= count


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_evaluators_come_and_go_and_one_of_each_service_is_killed(
    replicas: Installation, database: Database, storage: Storage, tmp_path: Path
) -> None:
    pairs = {name: [replicas.start(name) for _ in range(2)] for name in ("gateway", "upload", "scoring")}
    evaluators = [replicas.start("evaluator")]
    replicas.wait_ready()
    watchers = [Watcher(gateway.url) for gateway in pairs["gateway"]]
    with Client(replicas.url, ADMIN_KEY) as client:
        add_dataset(client, tmp_path)
        for number in range(MODELS):
            client.submissions.submit(archive(tmp_path, number), publish=True)
        evaluators += [replicas.start("evaluator") for _ in range(2)]
        replicas.wait_ready()

        until(lambda: is_running(database, 2), 120)  # two models at a time, on one machine
        for victim in (evaluators[0], *(pair[0] for pair in pairs.values())):
            victim.kill()
        until(lambda: has_landed(database, 1), 180)
        evaluators[1].end()  # from three to one
        until(lambda: has_landed(database, MODELS), 240)
        until(lambda: _views(client) == MODELS)

    check_each_once(database, storage)
    boards = check_landings(database)
    until(lambda: set(boards) <= set(watchers[1].boards))  # at the gateway that was not killed
    assert watchers[0].boards


def _views(client: Client) -> int:
    try:
        return len(client.leaderboards.get("sentiment").rows)
    except DynaboardError:
        return 0


def check_each_once(database: Database, storage: Storage) -> None:
    """Every example of every model is predicted once; every cell is there once."""
    with database.begin() as db:
        evaluations = db.scalars(select(Evaluation)).all()
        scores = db.scalars(select(Score)).all()
        costs = db.scalars(select(Measurement)).all()
    assert Counter(row.status for row in evaluations) == {"finished": MODELS}
    ids = [example["id"] for example in statements(EXAMPLES)]
    for row in evaluations:
        table = pq.read_table(io.BytesIO(storage.get(row.predictions_key or "")))
        assert table["id"].to_pylist() == ids
    for cells in (scores, costs):
        each = Counter((cell.model_digest, cell.metric, getattr(cell, "tag", "")) for cell in cells)
        assert set(each.values()) == {1}
        of_models = Counter(digest for digest, *_ in each)
        assert len(of_models) == MODELS
        assert len(set(of_models.values())) == 1


def check_landings(database: Database) -> list[int]:
    """Each submission landed once, and no job is left; the boards."""
    with database.begin() as db:
        boards = db.execute(select(Board.id, Board.submission_id).where(Board.submission_id.is_not(None))).all()
        left = db.scalar(text("SELECT count(*) FROM procrastinate_jobs WHERE task_name IN ('evaluate', 'score')"))
    assert Counter(row.submission_id for row in boards).most_common(1)[0][1] == 1
    assert len(boards) == MODELS
    assert left == 0
    return [row.id for row in boards]


@pytest.mark.timeout(600)
def test_an_evaluator_that_is_asked_to_end_hands_its_job_to_another_at_once(
    replicas: Installation, database: Database, tmp_path: Path
) -> None:
    for name in ("gateway", "upload", "evaluator"):
        replicas.start(name, drain_s=0)
    replicas.wait_ready()
    ending = replicas.started[-1]
    with Client(replicas.url, ADMIN_KEY) as client:
        add_dataset(client, tmp_path)
        submission_id = client.submissions.submit(archive(tmp_path, 0)).id
    until(lambda: is_running(database, 1), 120)

    ending.end()
    with database.begin() as db:
        step, jobs = db.get_one(Submission, submission_id).step, _jobs(db)
    assert step == "Waiting for an evaluator: the one that ran this was asked to end; the next goes on where it was"
    assert jobs == [("todo", 0)]
    assert not list((Path(replicas.values["data_dir"]) / "evaluator" / "runs").iterdir())

    replicas.start("evaluator")
    # Nobody sweeps: no scoring service runs.
    until(lambda: is_predicted(database, submission_id), 120)


def _jobs(db: Any) -> list[tuple[str, int]]:
    rows = db.execute(text("SELECT status::text, attempts FROM procrastinate_jobs WHERE task_name = 'evaluate'"))
    return [tuple(row) for row in rows]


def is_predicted(database: Database, submission_id: str) -> bool:
    with database.begin() as db:
        return db.get_one(Submission, submission_id).status == Status.PREDICTED

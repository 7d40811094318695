"""An evaluator killed in the middle: another finishes its work, every example exactly once."""

import asyncio
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq

from dynaboard.database import Database
from dynaboard.embedded import free_port
from dynaboard.jobs import QUEUES, SWEEP, make_app, register_sweep
from dynaboard.settings import Settings
from dynaboard.status import Status
from dynaboard.storage import Storage
from tests.evaluator.world import SLOW, World, statements, wait_until

ROOT = Path(__file__).parents[2]
# The service as the operator runs it, with the tests' short measurement.
PROGRAM = """
from dynaboard.measurement import PROFILES
from services.__main__ import main
from tests.evaluator.conftest import TINY
PROFILES[TINY.name] = TINY
main(["evaluator"])
"""


@contextmanager
def evaluator(values: dict[str, Any], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An evaluator in a process of its own."""
    settings = {f"DYNABOARD_{name.upper()}": str(value) for name, value in values.items()}
    environment = os.environ | settings | {"DYNABOARD_PORT": str(free_port()), "PYTHONPATH": "shared:."}
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment, cwd=ROOT, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def sweep(values: dict[str, Any], database: Database) -> None:
    """What scoring's periodic job does every ten seconds."""
    app = make_app(values["database_url"])
    register_sweep(app, database, Settings(**values))

    async def run() -> None:
        async with app.open_async():
            await app.configure_task(SWEEP, queue=QUEUES[SWEEP]).defer_async(timestamp=0)
            await app.run_worker_async(queues=[QUEUES[SWEEP]], wait=False, install_signal_handlers=False)

    asyncio.run(run())


def swept_until(true: Callable[[], bool], values: dict[str, Any], database: Database) -> None:
    """Sweep again and again until it has had an effect."""

    def sweep_and_look() -> bool:
        sweep(values, database)
        return true()

    wait_until(sweep_and_look, seconds=40)


def test_a_killed_evaluators_work_is_finished_by_the_next_and_no_prediction_is_lost_or_doubled(
    platform: dict[str, Any], world: World, storage: Storage, database: Database, tmp_path: Path
) -> None:
    values = platform | {"measurement_profile": "tiny", "chunk_examples": 10, "heartbeat_timeout_s": 1.0}
    values |= {"perturbed_roles": "[]"}
    runs, log, examples = platform["data_dir"] / "runs", tmp_path / "log", statements(80, "waits")
    world.add_dataset("first", statements(15))
    world.add_dataset("second", examples)
    submission_id = world.submit(SLOW, batch_size=2)

    def chunks() -> dict[str, Any]:
        row = world.evaluations(submission_id).get("second")
        keys = storage.keys(f"predictions/{row.id}/") if row else []
        heads = {key: storage.client.head_object(Bucket=storage.bucket, Key=key) for key in keys}
        return {key: (head["ETag"], head["LastModified"]) for key, head in heads.items()}

    with evaluator(values, log) as killed:
        wait_until(lambda: len(chunks()) >= 2, seconds=40)
        model = psutil.Process(killed.pid).children(recursive=True)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    assert model
    wait_until(lambda: not any(process.is_running() for process in model))
    kept, first = chunks(), world.evaluations(submission_id)["first"]
    assert world.submission(submission_id).status == Status.RUNNING
    assert first.status == "finished"
    assert list(runs.iterdir())

    with evaluator(values, log):
        swept_until(lambda: len(chunks()) > len(kept), values, database)
        resumed = chunks()
        wait_until(lambda: world.submission(submission_id).status == Status.PREDICTED, seconds=40)

    assert {key: tag for key, tag in resumed.items() if key in kept} == kept
    after, second = world.evaluations(submission_id)["first"], world.evaluations(submission_id)["second"]
    assert (after.updated_at, after.predictions_digest) == (first.updated_at, first.predictions_digest)
    table = pq.read_table(io.BytesIO(storage.get(second.predictions_key or "")))
    assert table["id"].to_pylist() == [example["id"] for example in examples]
    assert table["label"].to_pylist() == [example["label"] for example in examples]
    assert second.seconds > 2
    assert chunks() == {}
    assert list(runs.iterdir()) == []

"""An evaluator killed in the middle of a back-fill: another takes it up, and every model is run once."""

import signal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from dynaboard.database import Database
from dynaboard.jobs import PLAN_BACKFILL, defer
from dynaboard.tables import BackfillRun, Evaluation
from services.evaluator.bench import Bench
from tests.evaluator.backfill.landed import landed
from tests.evaluator.test_killed_evaluator import evaluator, swept_until
from tests.evaluator.world import GOOD, World, statements, wait_until


def count(database: Database, **of: str) -> int:
    with database.begin() as db:
        return db.scalar(select(func.count(Evaluation.id)).filter_by(**of)) or 0


def runs(database: Database, state: str) -> int:
    with database.begin() as db:
        return db.scalar(select(func.count(BackfillRun.id)).filter_by(state=state)) or 0


@pytest.mark.parametrize(
    "models", [2, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])], ids=["2 models", "50 models"]
)
def test_each_model_is_run_once_although_an_evaluator_was_killed(
    bench: Bench,
    world: World,
    platform: dict[str, Any],
    tmp_path: Path,
    models: int,
) -> None:
    database = world.database
    world.add_dataset("old", statements(3))
    ids = landed(bench, world, [f"{GOOD}    # {number}" for number in range(models)])
    new = world.add_dataset("new", statements(40))
    values = platform | {"measurement_profile": "tiny", "chunk_examples": 10, "heartbeat_timeout_s": 1.0}
    values |= {"perturbed_roles": "[]"}
    with database.begin() as db:
        defer(db, PLAN_BACKFILL)
    with evaluator(values, tmp_path / "log") as killed:
        wait_until(lambda: runs(database, "done") > models // 2 - 1 and runs(database, "running"), seconds=20 * models)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    left = runs(database, "done")
    assert left < models
    with evaluator(values, tmp_path / "log"):
        swept_until(lambda: runs(database, "done") > left, values, database)
        wait_until(lambda: runs(database, "done") == models, seconds=20 * models)
    assert count(database, dataset_id=new.id, status="finished") == count(database, dataset_id=new.id) == models
    assert runs(database, "done") == models
    rows = [world.evaluations(submission_id)["new"] for submission_id in ids]
    assert {row.done for row in rows} == {40}
    assert {world.submission(submission_id).status for submission_id in ids} == {"finished"}
    stored = [
        key
        for key in world.storage.keys("predictions/")
        if key.removeprefix("predictions/")[:32] in {row.id for row in rows}
    ]
    assert len(stored) == models

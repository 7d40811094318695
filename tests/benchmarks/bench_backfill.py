"""Back-fill: a new metric for 50 models × 10 datasets, 10 million stored predictions, and the cost that was predicted.

python -m tests.benchmarks.bench_backfill cells        # 500 cells, no model
python -m tests.benchmarks.bench_backfill stream       # 10 million predictions in bounded memory
python -m tests.benchmarks.bench_backfill cost         # predicted and real time of models run on new data
"""

import asyncio
import gzip
import hashlib
import io
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import func, select

from dynaboard import embedded, migrate
from dynaboard.database import Database
from dynaboard.jobs import PLAN_BACKFILL, QUEUES, defer
from dynaboard.nlp_tasks import TASKS
from dynaboard.storage import dataset_key, make_storage
from dynaboard.tables import BackfillRun, Evaluation, Score
from services.evaluator.app import make_bench
from services.evaluator.backfill.view import backfill_view
from services.evaluator.jobs import make_jobs
from services.evaluator.settings import EvaluatorSettings
from services.scoring.fill.filling import fill
from services.scoring.metrics import METRICS
from services.scoring.score import metric_cells, stored_references, works_at
from tests.evaluator.world import GOOD, statements
from tests.evaluator.world import World as Models
from tests.scoring.world import World, labelled

LABELS = TASKS["sentiment"].labels
ROWS = 2_000_000
REPLICATES = 1_000


@contextmanager
def platform() -> Iterator[EvaluatorSettings]:
    """A database and a bucket, empty."""
    with TemporaryDirectory(prefix="dynaboard-") as folder, embedded.postgres(Path(folder) / "pg") as url:
        migrate.upgrade(url)
        with embedded.s3(Path(folder) / "s3") as s3:
            settings = EvaluatorSettings(
                data_dir=Path(folder) / "data",
                database_url=url,
                s3_url=s3.url,
                s3_access_key=s3.access_key,
                s3_secret_key=s3.secret_key,
                s3_bucket="bench",
                perturbed_roles=(),
            )
            make_storage(settings).create_bucket()
            yield settings


def cells(settings: EvaluatorSettings) -> None:
    """50 models × 10 datasets of 1,000 examples; then a metric in a new version."""
    database, storage = Database(settings.database_url), make_storage(settings)
    world, draw = World(database, storage), np.random.default_rng(1)
    references = [[LABELS[code] for code in draw.integers(0, 3, 1000)] for _ in range(10)]
    datasets = [world.dataset(f"d{number}", labelled(labels)) for number, labels in enumerate(references)]
    for number in range(50):
        submission = world.submission(f"m{number}", status="finished")
        for dataset, labels in zip(datasets, references, strict=True):
            noise = draw.random(1000) < number / 100
            world.evaluation(
                submission,
                dataset,
                labelled(["neutral" if bad else label for bad, label in zip(noise, labels, strict=True)]),
            )
    fill(database, storage, REPLICATES)
    METRICS["macro_f1"] = replace(METRICS["macro_f1"], version=2)
    began = time.monotonic()
    evaluations = fill(database, storage, REPLICATES)
    took = time.monotonic() - began
    with database.begin() as db:
        found = db.scalar(select(func.count(Score.id)).filter_by(metric="macro_f1", metric_version="2"))
    print(f"{found} cells of {evaluations} evaluations in {took:.1f} s, 0 models started")


def stream(settings: EvaluatorSettings) -> None:
    """Five models' predictions on two million examples each: reading the files, and the metric with its interval."""
    database, storage = Database(settings.database_url), make_storage(settings)
    world, draw = World(database, storage), np.random.default_rng(1)
    truth = draw.integers(0, 3, ROWS)
    lines = b"".join(
        json.dumps({"id": f"e{number}", "statement": "", "label": LABELS[code]}).encode() + b"\n"
        for number, code in enumerate(truth.tolist())
    )
    digest = hashlib.sha256(lines).hexdigest()
    storage.put(dataset_key(digest), gzip.compress(lines, 1))
    dataset = world.dataset("large", [])
    with database.begin() as db:
        stored = db.merge(dataset)
        stored.digest, stored.examples = digest, ROWS
    del lines
    ids = pa.array([f"e{number}" for number in range(ROWS)])
    keys, evaluations = [], []
    for number in range(5):
        submission = world.submission(f"m{number}", status="finished")
        given = np.where(draw.random(ROWS) < 0.8, truth, draw.integers(0, 3, ROWS))
        file = io.BytesIO()
        column = pa.DictionaryArray.from_arrays(given, list(LABELS)).cast(pa.string())
        pq.write_table(pa.table({"id": ids, "label": column}), file, compression="zstd")
        evaluation = world.evaluation(submission, dataset, [])
        storage.put(evaluation.predictions_key or "", file.getvalue())
        with database.begin() as db:
            row = db.merge(evaluation)
            row.total, row.predictions_digest = ROWS, hashlib.sha256(file.getvalue()).hexdigest()
        keys.append(evaluation.predictions_key or "")
        evaluations.append(evaluation.id)
    print(f"prepared with {peak():.0f} MiB; the rest runs in a process of its own", flush=True)
    del ids, column, file, given
    values = {
        name: str(getattr(settings, name))
        for name in ("database_url", "s3_url", "s3_access_key", "s3_secret_key", "s3_bucket")
    }
    subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.bench_backfill", "streamed", json.dumps([values, keys, evaluations])],
        check=True,
    )


def streamed(document: str) -> None:
    """The measured half of `stream`."""
    values, keys, evaluations = json.loads(document)
    settings = EvaluatorSettings(**values)
    database, storage = Database(settings.database_url), make_storage(settings)
    base = peak()
    began = time.monotonic()
    rows = 0
    with TemporaryDirectory() as folder:
        for key in keys:
            storage.fetch(key, Path(folder) / "file")
            for batch in pq.ParquetFile(Path(folder) / "file").iter_batches(65_536):
                rows += len(batch)
    read_s = time.monotonic() - began
    print(f"files alone: {rows:,} rows in {read_s:.1f} s, {rows / read_s:,.0f} examples/s", flush=True)
    with database.begin() as db:
        works = works_at(db, evaluations)
    for replicates in (1, REPLICATES):
        began = time.monotonic()
        references = stored_references(storage, works[0])
        known_s = time.monotonic() - began
        for work in works:
            metric_cells(storage, work, references, replicates, {("accuracy", "1")}.__contains__)
            if replicates > 1:
                break
        took = time.monotonic() - began
        counted = ROWS * (1 if replicates > 1 else len(works))
        print(
            f"accuracy, {replicates} resamples: {counted:,} predictions in {took:.1f} s"
            f" ({known_s:.1f} s of it the references), {counted / took:,.0f} examples/s,"
            f" {counted / took / (rows / read_s):.2f} of the files alone;"
            f" peak RSS {peak():.0f} MiB ({base:.0f} before)",
            flush=True,
        )


def cost(settings: EvaluatorSettings) -> None:
    """Models evaluated on two datasets, then run on a third: what was predicted and what it took."""
    settings = settings.model_copy(update={"measurement_profile": "quick"})
    database, storage = Database(settings.database_url), make_storage(settings)
    world, bench = Models(database, storage), make_bench(settings, database)
    for number, count in enumerate((300, 2500)):
        world.add_dataset(f"old{number}", statements(count))
    handlers = [
        GOOD.replace("return [{", f"import time; time.sleep({pause} * len(examples))\n            return [{{")
        for pause in (0.0, 0.002, 0.005)
    ]
    ids = [world.submit(handler) for handler in handlers]
    work(bench)
    for submission_id in ids:
        world.publish(submission_id)
        world.submission(submission_id)
        with database.begin() as db:
            row = db.get_one(type(world.submission(submission_id)), submission_id)
            row.finished_at = db.scalar(select(func.max(Evaluation.finished_at)).filter_by(submission_id=submission_id))
    world.add_dataset("new", statements(4000))
    with database.begin() as db:
        print(backfill_view(db, settings, TASKS["sentiment"]).sentence)
        defer(db, PLAN_BACKFILL)
    work(bench)
    with database.begin() as db:
        done = db.scalars(select(BackfillRun).order_by(BackfillRun.id)).all()
    for run in done:
        print(
            f"predicted {run.predicted_seconds:.1f} s, took {run.seconds:.1f} s"
            f" ({run.predicted_seconds / run.seconds - 1:+.0%})"
        )
    predicted, took = (
        sum(values) for values in zip(*((run.predicted_seconds, run.seconds) for run in done), strict=True)
    )
    print(f"all: predicted {predicted:.1f} s, took {took:.1f} s ({predicted / took - 1:+.0%})")
    bench.reference.close()


def work(bench: object) -> None:
    """Run what is queued."""

    async def run() -> None:
        async with make_jobs(bench).open_async() as app:  # type: ignore[arg-type]
            await app.run_worker_async(queues=[QUEUES[PLAN_BACKFILL]], wait=False, install_signal_handlers=False)

    asyncio.run(run())


def peak() -> float:
    """MiB that this program has had at most; what getrusage says begins with what its parent had."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    if sys.argv[1] == "streamed":
        streamed(sys.argv[2])
    else:
        with platform() as made:
            {"cells": cells, "stream": stream, "cost": cost}[sys.argv[1]](made)

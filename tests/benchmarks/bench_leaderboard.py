"""A leaderboard of 1,000 models under load: wrk against the gateway and the scoring service behind it.

Targets, on two cores: 99th percentile under 50 ms at 200 requests/s, first byte of a kept board under 5 ms.
Needs wrk (Debian: `apt install wrk`). Run from the repository's root, 130 s, or 45 s with `--seconds 3`:
`.venv/bin/python tests/benchmarks/bench_leaderboard.py`. Processor time tells what the waits of a busy machine hide.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

import httpx
import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "shared")]

from dynaboard import embedded, migrate  # noqa: E402 (after the path, so that it runs from a plain checkout)
from dynaboard.database import Database  # noqa: E402
from dynaboard.identity import NOBODY, headers_for  # noqa: E402
from dynaboard.tables import Board, Dataset, Measurement, Model, Score, Submission, Table  # noqa: E402

MODELS, DATASETS, REPLICATES, SECONDS = 1_000, 5, 1_000, 10
CPU_REQUESTS = 300
TOKEN, TASK = "internal-token-of-the-benchmark", "sentiment"
RATE, TARGET_MS, FIRST_BYTE_MS = 200, 50.0, 5.0
QUALITY = ("accuracy", "fairness", "robustness")
# 20 connections that wait 40 to 160 ms after each answer ask about 200 times a second.
SCRIPT = """
math.randomseed(os.time())
request = function()
  local path = "{path}"
  if {changing} then path = path .. "&weight.memory=" .. math.random() .. "&weight.fairness=" .. math.random() end
  return wrk.format("GET", path)
end
if {paced} then delay = function() return math.random(40, 155) end end
"""


def fill(database: Database) -> None:
    """Models of random quality with intervals, replicates and cost on every dataset."""
    random = np.random.default_rng(0)
    sets = [hashlib.sha256(f"set {number}".encode()).hexdigest() for number in range(DATASETS)]
    rows: list[Table] = [
        Dataset(task=TASK, name=f"set-{number}", version=1, digest=digest, role="scoring", licence="CC0-1.0",
                citation="", examples=2000, size=1, labels={}, tags={}, created_by="ada")
        for number, digest in enumerate(sets)
    ]  # fmt: skip
    for number in range(MODELS):
        digest = hashlib.sha256(f"model {number}".encode()).hexdigest()
        model = Model(id=digest[:32], task=TASK, owner="ada", name=f"model-{number}", published=True)
        submission = Submission(
            id=digest[32:], model_id=model.id, task=TASK, owner="ada", version=1, status="finished", digest=digest
        )
        skill = random.uniform(40, 90)
        rows += [model, submission, *(cell for of_set in sets for cell in cells(random, digest, of_set, skill))]
    rows.append(Board(task=TASK, submission_id="0", digest="0" * 64, document={}))
    with database.begin() as db:
        db.add_all(rows)


def cells(random: np.random.Generator, model: str, dataset: str, skill: float) -> Iterator[Table]:
    """The five cells of a model on a dataset, with the provenance that real ones have."""
    provenance = {
        "evaluation": model[:32],
        "predictions_digest": model,
        "interval": {"method": "percentile bootstrap over examples", "confidence": 0.95, "replicates": REPLICATES},
        "code_version": "0.1.0",
    }
    shared = {"model_digest": model, "dataset_digest": dataset, "metric_version": "1", "provenance": provenance}
    for metric in QUALITY:
        value = skill + random.normal(0, 2)
        drawn = (value + random.normal(0, 1, REPLICATES)).astype("<f4")
        yield Score(metric=metric, value=value, low=value - 2, high=value + 2, n=2000, unit="%",
                    replicates=drawn.tobytes(), **shared)  # fmt: skip
    for metric, value, unit in (("throughput", random.uniform(1, 90), "examples/s"), ("memory", 4.0, "GiB")):
        size = value * random.uniform(0.5, 2)
        yield Measurement(metric=metric, value=size, low=size * 0.95, high=size * 1.05, n=10, unit=unit,
                          hardware_profile="a" * 64, protocol_version="1", **shared)  # fmt: skip


@contextmanager
def service(name: str, **settings: str) -> Iterator[tuple[str, int]]:
    """One service in a process of its own: its address and process id."""
    port = embedded.free_port()
    given = {
        "s3_url": "http://127.0.0.1:9",
        "internal_token": TOKEN,
        "port": str(port),
        "log_level": "ERROR",
    } | settings
    environment = os.environ | {f"DYNABOARD_{key.upper()}": value for key, value in given.items()}
    environment["PYTHONPATH"] = f"{ROOT}:{ROOT / 'shared'}"
    process = subprocess.Popen([sys.executable, "-m", "services", name], env=environment, cwd=ROOT)
    url = f"http://127.0.0.1:{port}"
    try:
        while True:
            if process.poll() is not None:
                raise RuntimeError(f"the service {name} ended")
            try:
                httpx.get(f"{url}/readyz", trust_env=False)
                break
            except httpx.TransportError:
                sleep(0.1)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait()


def first_bytes(client: httpx.Client, path: str) -> list[float]:
    """Milliseconds until the first byte of each of fifty answers, one after the other."""
    times = []
    for _ in range(50):
        start = perf_counter()
        with client.stream("GET", path) as answer:
            pieces = answer.iter_raw()
            next(pieces)
            times.append((perf_counter() - start) * 1e3)
            for _ in pieces:
                pass
    return times


def cpu_ms(client: httpx.Client, path: str, process: int) -> float:
    """Milliseconds of processor time that the process spends on one of some hundred answers."""

    def spent() -> float:
        user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") * 1e3

    before = spent()
    for _ in range(CPU_REQUESTS):
        client.get(path)
    return (spent() - before) / CPU_REQUESTS


def load(url: str, path: str, changing: bool, paced: bool, headers: dict[str, str], seconds: int) -> str:
    """What wrk saw: requests/s, 50th and 99th percentile."""
    values: dict[str, Any] = {"path": path, "changing": str(changing).lower(), "paced": str(paced).lower()}
    with TemporaryDirectory() as folder:
        script = Path(folder) / "load.lua"
        script.write_text(SCRIPT.format(**values))
        given = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
        connections = "20" if paced else "4"
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "--latency", *given]
        ran = subprocess.run([*command, "-s", str(script), url], capture_output=True, text=True, check=True)
    found = dict(re.findall(r"(50%|99%|Requests/sec:|Non-2xx[^:]*:)\s+(\S+)", ran.stdout))
    return ", ".join(f"{name.strip(':')} {value}" for name, value in found.items())


def main() -> None:
    """Print what is reached."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=int, default=SECONDS, help="length of each load")
    seconds = arguments.parse_args().seconds
    if not shutil.which("wrk"):
        print("wrk is not here; nothing measured")
        return
    with TemporaryDirectory() as folder, ExitStack() as stack:
        url = stack.enter_context(embedded.postgres(Path(folder)))
        migrate.upgrade(url)
        database = Database(url)
        fill(database)
        database.close()
        s3 = stack.enter_context(embedded.s3(Path(folder)))
        shared = {"data_dir": folder, "database_url": url, "s3_url": s3.url}
        shared |= {"s3_access_key": s3.access_key, "s3_secret_key": s3.secret_key}
        scoring = stack.enter_context(service("scoring", **shared))
        plenty = {"requests_per_minute": "10000000"}
        gateway = stack.enter_context(service("gateway", scoring_url=scoring[0], **plenty, **shared))
        measure("scoring", scoring, headers_for(NOBODY, TOKEN), "", seconds)
        measure("gateway", gateway, {}, "/api/v1", seconds)


def measure(name: str, at: tuple[str, int], headers: dict[str, str], prefix: str, seconds: int) -> None:
    """Every kind of request against one service."""
    url, process = at
    board = f"{prefix}/leaderboards/{TASK}?"
    with_gzip = headers | {"accept-encoding": "gzip"}
    asked = {
        "100 rows, full": f"{board}limit=100",
        "100 rows, ranking": f"{board}detail=ranking&limit=100",
        "1,000 rows, ranking": f"{board}detail=ranking&limit=1000",
    }
    with httpx.Client(base_url=url, headers=headers, timeout=120, trust_env=False) as client:
        for what, path in asked.items():
            start = perf_counter()
            size = len(client.get(path).content)
            cold = (perf_counter() - start) * 1e3
            middle = median(first_bytes(client, path))
            print(f"{name}, {what}: {size / 1024:.0f} KiB, asked for the first time {cold:.0f} ms; first byte of one "
                  f"kept {middle:.1f} ms, ratio to the target {middle / FIRST_BYTE_MS:.2f}; processor time "
                  f"{cpu_ms(client, path, process):.2f} ms", flush=True)  # fmt: skip
    for what, path in asked.items():
        for changing in (False, True):
            if changing and "full" in what:
                continue
            weights = "ever new weights" if changing else "the same weights"
            print(
                f"{name}, {what}, {weights}, {RATE}/s: {load(url, path, changing, True, headers, seconds)}", flush=True
            )
    for what in ("100 rows, full", "1,000 rows, ranking"):
        packed = load(url, asked[what], False, True, with_gzip, seconds)
        print(f"{name}, {what}, the same weights, packed, {RATE}/s: {packed}", flush=True)
    reached = load(url, asked["100 rows, ranking"], True, False, headers, seconds)
    print(f"{name}, 100 rows, ranking, ever new weights, as fast as it goes: {reached}", flush=True)


if __name__ == "__main__":
    main()

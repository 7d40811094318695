"""How fast a large archive goes in, and how much memory the upload service takes for it.

Targets: peak resident memory below 200 MiB, and at least 0.8 of the speed of a direct boto3 upload to the same S3
server in the same run. Run from the repository's root: `.venv/bin/python tests/benchmarks/bench_upload.py`;
GIB=2 (size of the archive in GiB) and RUNS=3 may be set in the environment.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import httpx

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "shared")]

from dynaboard import archive, embedded, migrate  # noqa: E402 (after the path, so that it runs from a plain checkout)
from dynaboard.client.upload import upload_archive  # noqa: E402
from dynaboard.identity import Caller, Role, headers_for  # noqa: E402
from dynaboard.settings import Settings  # noqa: E402
from dynaboard.storage import Storage, make_storage  # noqa: E402

GIB = float(os.environ.get("GIB", "2"))
RUNS = int(os.environ.get("RUNS", "3"))
TARGET_MIB, TARGET_RATIO = 200.0, 0.8
TOKEN = "internal-token-of-the-benchmark"
HANDLER = "class Handler:\n    def load(self, model_dir): ...\n    def predict(self, examples): ...\n"
MANIFEST = "name: large\ntask: nli\nhandler: handler.py:Handler\ncard: {summary: large, licence: MIT}\n"


def make_archive(folder: Path) -> Path:
    """An archive of GIB GiB that nothing could compress."""
    model = folder / "model"
    model.mkdir()
    (model / "handler.py").write_text(HANDLER)
    (model / "dynaboard.yaml").write_text(MANIFEST)
    with (model / "weights.bin").open("wb") as file:
        for _ in range(int(GIB * 64)):
            file.write(os.urandom(16 * 1024**2))
    archive.build(model, folder / "model.zip")
    (model / "weights.bin").unlink()
    return folder / "model.zip"


@contextmanager
def upload_service(settings: Settings) -> Iterator[tuple[str, int]]:
    """The service in its own process, as an operator runs it; its address and process id."""
    port = embedded.free_port()
    values = settings.model_dump(mode="json") | {"port": port, "internal_token": TOKEN}
    environment = os.environ | {f"DYNABOARD_{name.upper()}": str(value) for name, value in values.items()}
    environment["PYTHONPATH"] = f"{ROOT}:{ROOT / 'shared'}"
    process = subprocess.Popen([sys.executable, "-m", "services", "upload"], cwd=ROOT, env=environment)
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{port}/readyz").raise_for_status()
                break
            except httpx.TransportError:
                assert time.monotonic() < deadline, "the upload service did not start"
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def peak_mib(pid: int) -> float:
    """The greatest resident memory the process ever had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def through_service(http: httpx.Client, path: Path, storage: Storage) -> float:
    """Announce, upload and complete; then remove the object again."""
    announced = {"task": "nli", "name": "large", "size": path.stat().st_size}
    created: list[str] = []

    def submit() -> None:
        created.append(http.post("submissions", json=announced).raise_for_status().json()["id"])
        upload_archive(http, created[0], path)

    taken = seconds(submit)
    storage.delete(archive.object_key(created[0]))
    return taken


def directly(storage: Storage, path: Path) -> float:
    """What boto3 takes, with its own settings."""
    taken = seconds(lambda: storage.client.upload_file(str(path), storage.bucket, "direct"))
    storage.delete("direct")
    return taken


def main() -> None:
    """Print both times, their ratio, and the service's memory."""
    with (
        tempfile.TemporaryDirectory() as name,
        embedded.postgres(Path(name) / "db") as database_url,
        embedded.s3(Path(name) / "s3") as s3,
    ):
        settings = Settings(
            data_dir=Path(name),
            database_url=database_url,
            s3_url=s3.url,
            s3_access_key=s3.access_key,
            s3_secret_key=s3.secret_key,
        )
        migrate.upgrade(database_url)
        storage = make_storage(settings)
        storage.create_bucket()
        path = make_archive(Path(name))
        caller = headers_for(Caller("root", Role.ADMIN), TOKEN)
        with upload_service(settings) as (url, pid), httpx.Client(base_url=url, headers=caller, timeout=60) as http:
            idle = peak_mib(pid)
            pairs = [(directly(storage, path), through_service(http, path, storage)) for _ in range(RUNS)]
            peak = peak_mib(pid)
    speed = [[GIB * 1024 / taken for taken in way] for way in zip(*pairs, strict=True)]
    ratio = median(direct / service for direct, service in pairs)
    print(f"archive of {GIB:g} GiB, {RUNS} runs, medians")
    print(f"direct boto3:   {median(speed[0]):6.0f} MiB/s")
    print(f"upload service: {median(speed[1]):6.0f} MiB/s; ratio {ratio:.2f}, target {TARGET_RATIO}")
    print(f"upload service: {peak:6.0f} MiB peak memory ({idle:.0f} before), target {TARGET_MIB:.0f}")


if __name__ == "__main__":
    main()

"""A process of known appetite for the samplers' tests, and the ways to put it under each of them."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from uuid import uuid4

import httpx
from prometheus_client import CollectorRegistry, Gauge, start_http_server

from dynaboard.measurement.samplers.footprint import footprint

MIB = 1024**2
# Commands on stdin, each answered with a line: `hold N`, `share N`, `spike N SECONDS`, `fork`, `file N`.
HOG = """
import mmap, os, sys, time
kept = []
setting = "/sys/kernel/mm/transparent_hugepage/enabled"
huge = os.path.exists(setting) and "[never]" not in open(setting).read()

def touched(size, flags):
    memory = mmap.mmap(-1, size * 1024**2, flags=flags | mmap.MAP_ANONYMOUS)
    for page in range(0, len(memory), 4096):
        memory[page] = 1
    return memory

print("ready", flush=True)
for line in sys.stdin:
    verb, *words = line.split()
    if verb == "hold":
        kept.append(touched(int(words[0]), mmap.MAP_PRIVATE))
    elif verb == "share":
        kept.append(touched(int(words[0]), mmap.MAP_SHARED))
    elif verb == "spike":
        with mmap.mmap(-1, int(words[0]) * 1024**2, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as passing:
            if huge:  # so that touching all of it takes no time, where the kernel has large pages left
                passing.madvise(14)
            try:
                passing.madvise(23)  # MADV_POPULATE_WRITE
            except OSError:  # before Linux 5.14
                for page in range(0, len(passing), 4096):
                    passing[page] = 1
            time.sleep(float(words[1]))
    elif verb == "fork":
        if os.fork() == 0:
            time.sleep(600)
    elif verb == "file":
        with open(words[0], "rb") as file:
            kept.append(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
            sum(kept[-1][::4096])
    print("done", flush=True)
"""


class Hog:
    """A running hog; `pids` are its processes."""

    def __init__(self, procs: Path | None = None) -> None:
        join = f"echo $$ > {procs}; " if procs else ""
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'{join}exec "$0" -c "$1"', sys.executable, HOG],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._hear()

    def pids(self) -> list[int]:
        """The hog and its children."""
        pid = self.process.pid
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    def do(self, command: str) -> None:
        """Have it do something and wait until it is done."""
        assert self.process.stdin
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        self._hear()

    def _hear(self) -> None:
        assert self.process.stdout
        assert self.process.stdout.readline()

    def stop(self) -> None:
        """End it and its children; may be called again."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, 9)
        self.process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextlib.contextmanager
def control_group() -> Iterator[Path | None]:
    """A new group of whichever version accounts for memory here; None where none is to be had."""
    folder = _memory_root() / f"dynaboard-test-{uuid4().hex[:8]}"
    try:
        folder.mkdir()
    except OSError:
        yield None
        return
    yield folder
    deadline = time.monotonic() + 5
    while (folder / "cgroup.procs").read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    with contextlib.suppress(OSError):  # a test that failed may have left a process in it
        folder.rmdir()


def _memory_root() -> Path:
    """Where groups with a memory account are made: version 1's own tree, or version 2's with its controller on."""
    unified = Path("/sys/fs/cgroup")
    controllers = unified / "cgroup.controllers"
    if not controllers.exists() or "memory" not in controllers.read_text().split():
        return unified / "memory"
    with contextlib.suppress(OSError):
        (unified / "cgroup.subtree_control").write_text("+memory")
    return unified


@dataclass
class RunningPrometheus:
    """A Prometheus that scrapes twice a second, and what cAdvisor calls the container; `hog` is what is scraped."""

    url: str
    selector: str = 'pod="m-1"'
    scrape_s: float = 0.5
    hog: Hog | None = None


SERIES = ("rss", "cache", "total_active_file_bytes", "total_inactive_file_bytes")


def _values(hog: Hog) -> dict[str, int]:
    """The hog's own figures as cAdvisor counts them: page cache holds shared memory too."""
    seen = [found for pid in hog.pids() if (found := footprint(pid))]
    shmem, files = sum(found.shmem for found in seen), sum(found.file for found in seen)
    anon = sum(found.anon for found in seen)
    return dict(zip(SERIES, (anon, shmem + files, files // 2, files - files // 2), strict=True))


@contextlib.contextmanager
def prometheus(folder: Path) -> Iterator[RunningPrometheus]:
    """A real Prometheus over an exporter of a hog's figures under cAdvisor's names. Its first scrape takes 5 s."""
    registry, port, web = CollectorRegistry(), _free_port(), _free_port()
    running = RunningPrometheus(f"http://127.0.0.1:{web}")
    for name in SERIES:
        gauge = Gauge(f"container_memory_{name}", name, ["pod"], registry=registry).labels("m-1")
        gauge.set_function(lambda name=name: _values(running.hog)[name] if running.hog else 0)  # type: ignore[misc]
    server, _ = start_http_server(port, "127.0.0.1", registry)
    (folder / "prometheus.yml").write_text(
        "global: {scrape_interval: 500ms}\n"
        f"scrape_configs: [{{job_name: cadvisor, static_configs: [{{targets: ['127.0.0.1:{port}']}}]}}]\n"
    )
    command = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb"]
    command.append(f"--web.listen-address=127.0.0.1:{web}")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_until_scraped(running.url)
        yield running
    finally:
        process.kill()
        process.wait()
        server.shutdown()
        server.server_close()


def _wait_until_scraped(url: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError, ValueError):
            said = httpx.get(f"{url}/api/v1/query", params={"query": "container_memory_rss"}).json()
            if said["data"]["result"]:
                return
        time.sleep(0.05)
    raise TimeoutError(url)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])

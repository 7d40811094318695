"""`make demo`: the example models and datasets of this repository, from nothing to four leaderboards.

DYNABOARD_KEY=… python -m examples.demo --url URL does the same on a platform that runs already.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml
from rich.console import Console

from dynaboard.client import Client
from dynaboard.errors import Unauthorized
from dynaboard.nlp_tasks import TASKS
from examples import build, showcase
from examples.local_platform import LocalPlatform, local_platform

HERE = Path(__file__).parent


def main() -> None:
    """Run the demo; exit code 0 when every model was evaluated."""
    parser = argparse.ArgumentParser(prog="python -m examples.demo", description="The example models and datasets.")
    parser.add_argument("--url", help="of a running platform, whose API key is in DYNABOARD_KEY; none: one is started")
    url = parser.parse_args().url
    started, console = time.monotonic(), Console(highlight=False)
    data_dir = Path(os.environ.get("DYNABOARD_DATA_DIR", ".dynaboard"))
    with showcase.told_plainly(), platform_at(url, data_dir, console) as platform:
        with Client(platform.url, platform.key) as client:
            showcase.add_datasets(client, example_datasets(), console)
            console.print("Training and submitting the example models ...")
            views = showcase.submit_models(client, example_models(data_dir / "examples"), console)
            console.print("Each runs in a TorchServe of its own, on every dataset of its task:")
            good = showcase.follow(client, views, console)
        showcase.print_boards(platform, list(TASKS), console)
        console.print(f"\n{len(views)} models in {time.monotonic() - started:.0f} s.")
        if url is None:
            showcase.serve_until_interrupted(platform, console)
    sys.exit(0 if good else 1)


@contextmanager
def platform_at(url: str | None, data_dir: Path, console: Console) -> Iterator[LocalPlatform]:
    """The running platform at `url`, or one started on `data_dir` that ends with the block. Raises Unauthorized."""
    if url is not None:
        key = os.environ.get("DYNABOARD_KEY")
        if not key:
            raise Unauthorized(f"Set DYNABOARD_KEY to an API key of the platform at {url}.")
        yield LocalPlatform(url, key, data_dir / "services.log")
        return
    console.print("Starting PostgreSQL, S3 and the four services ...")
    with local_platform(data_dir, int(os.environ.get("DYNABOARD_PORT", "8000"))) as platform:
        yield platform


def example_datasets() -> list[showcase.DatasetFile]:
    """The test sets of examples/datasets."""
    listed = yaml.safe_load((HERE / "datasets" / "datasets.yaml").read_text(encoding="utf-8"))
    return [
        showcase.DatasetFile(path=HERE / "datasets" / entry.pop("file"), **entry)
        for entry in listed
        if entry["role"] != "training"
    ]


def example_models(folder: Path) -> list[Path]:
    """The reference models, trained anew into `folder`: it takes seconds, and the same files give the same bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    folders = []
    for task in TASKS.values():
        train = build.training_file(HERE / "datasets", task)
        kinds = [name for name, kind in build.KINDS.items() if kind.by_default and task.name in kind.tasks]
        folders += [build.build(name, task, train, folder / f"{name}-{task.name}") for name in kinds]
    return folders


if __name__ == "__main__":
    main()

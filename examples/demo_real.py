"""`make demo-real DYNABOARD_DATA=folder`: real training and test data, from a bag of words to a sentence encoder.

The folder holds JSON lines (gzip) and a manifest.json: Learning from the Worst, HateCheck, SST-3 and DynaSent. Nothing
of it is in this repository; without it the demo says what it misses.
"""

import json
import os
import shutil
import sys
import time
from pathlib import Path

from rich.console import Console

from dynaboard.client import Client
from dynaboard.errors import NotFound
from dynaboard.nlp_tasks import TASKS
from examples import build, showcase
from examples.local_platform import local_platform

# Task -> training file, and each test set's name, file and role (Table 1 of the Dynaboard paper).
TRAIN = {"hate-speech": "hs/lftw-train.jsonl.gz", "sentiment": "sentiment/sst3-train.jsonl.gz"}
TEST = {
    "hate-speech": [
        ("learning-from-the-worst", "hs/lftw-test.jsonl.gz", "scoring"),
        ("hatecheck", "hs/hatecheck-test.jsonl.gz", "standard"),
    ],
    "sentiment": [
        ("sst3-test", "sentiment/sst3-test.jsonl.gz", "scoring"),
        ("dynasent-r1-test", "sentiment/dynasent-r1-test.jsonl.gz", "scoring"),
        ("dynasent-r2-test", "sentiment/dynasent-r2-test.jsonl.gz", "scoring"),
    ],
}
KINDS = ("majority", "fasttext", "tfidf", "minilm")


def main() -> None:
    """Run the demo; exit code 0 when every model was evaluated."""
    started, console = time.monotonic(), Console(highlight=False)
    data_dir = Path(os.environ.get("DYNABOARD_DATA_DIR", ".demo-real"))
    with showcase.told_plainly():
        source = data_folder()
        with local_platform(data_dir, int(os.environ.get("DYNABOARD_PORT", "8000"))) as platform:
            with Client(platform.url, platform.key) as client:
                showcase.add_datasets(client, test_files(source), console)
                console.print(f"Training {', '.join(KINDS)} on real data (the encoder takes some minutes, once) ...")
                views = showcase.submit_models(client, models(source, data_dir / "models", console), console)
                good = showcase.follow(client, views, console)
            showcase.print_boards(platform, list(TEST), console)
            console.print(f"\n{len(views)} models in {(time.monotonic() - started) / 60:.1f} min.")
            showcase.serve_until_interrupted(platform, console)
    sys.exit(0 if good else 1)


def data_folder() -> Path:
    """The folder DYNABOARD_DATA names. Raises NotFound with what it must hold."""
    folder = Path(os.environ.get("DYNABOARD_DATA") or "DYNABOARD_DATA")
    wanted = ["manifest.json", *TRAIN.values(), *(file for files in TEST.values() for _, file, _ in files)]
    missing = [file for file in wanted if not (folder / file).exists()]
    if missing:
        raise NotFound(f"make demo-real DYNABOARD_DATA=folder needs {', '.join(missing)} in {folder}.")
    return folder


def test_files(source: Path) -> list[showcase.DatasetFile]:
    """The test sets with licence and citation from the folder's manifest."""
    manifest = json.loads((source / "manifest.json").read_text(encoding="utf-8"))
    known = {entry["file"]: entry for entry in manifest["files"]}
    return [
        showcase.DatasetFile(source / file, task, name, role, known[file]["licence"], known[file]["cite"])
        for task, files in TEST.items()
        for name, file, role in files
    ]


def models(source: Path, folder: Path, console: Console) -> list[Path]:
    """Each kind trained for each task, unless an earlier run did it; an interrupted training leaves nothing behind."""
    folders = []
    for task, train in TRAIN.items():
        for kind in KINDS:
            target = folder / f"{kind}-{task}"
            if not target.exists():
                begun = time.monotonic()
                built = build.build(kind, TASKS[task], source / train, _free(folder / "unfinished" / target.name))
                built.rename(target)
                console.print(f"  trained {target.name:28} {time.monotonic() - begun:6.1f} s")
            folders.append(target)
    return folders


def _free(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    main()

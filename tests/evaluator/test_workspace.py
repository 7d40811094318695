"""Folders of models: removed with their evaluator, or by the next one when it was killed."""

import subprocess
import sys
from pathlib import Path

from services.evaluator.workspace import Workspace, remove_abandoned


def test_a_living_evaluators_folder_stays_and_a_killed_ones_goes(tmp_path: Path) -> None:
    mine = Workspace.make(tmp_path, "abcdef")
    script = (
        "import os, pathlib, signal\n"
        "from services.evaluator.workspace import Workspace\n"
        f"folder = Workspace.make(pathlib.Path({str(tmp_path)!r}), 'killed').folder\n"
        "(folder / 'weights').write_text('heavy')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=False, env={"PYTHONPATH": "shared:."})

    (removed,) = remove_abandoned(tmp_path)

    assert removed.startswith("killed-")
    assert list(tmp_path.iterdir()) == [mine.folder]
    mine.remove()
    assert list(tmp_path.iterdir()) == []


def test_before_the_first_run_there_is_nothing_to_remove(tmp_path: Path) -> None:
    assert remove_abandoned(tmp_path / "runs") == []

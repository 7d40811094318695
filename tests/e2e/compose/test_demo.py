"""The demo, run against the containers."""

import sys
from pathlib import Path

from dynaboard.nlp_tasks import TASKS
from tests.e2e.compose.composition import Composition, run


def test_every_example_model_ends_on_a_leaderboard(platform: Composition, tmp_path: Path) -> None:
    environment = {**platform.environment, "DYNABOARD_KEY": platform.key, "DYNABOARD_DATA_DIR": str(tmp_path)}
    said = run([sys.executable, "-m", "examples.demo", "--url", platform.url], environment)
    assert said.count("  finished  ") == 11, said
    with platform.client() as client:
        boards = {task: client.leaderboards.get(task) for task in TASKS}
    sizes = {task: len(board.rows) for task, board in boards.items()}
    assert sizes == {"nli": 3, "qa": 2, "sentiment": 3, "hate-speech": 3}
    assert "unsandboxed" not in {flag for board in boards.values() for row in board.rows for flag in row.flags}

"""`submit`: upload, interruption, resumption, following."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from dynaboard import archive
from tests.cli.conftest import Run
from tests.cli.test_command import SHARED
from tests.client.fake_gateway import FAILS, Gateway

DEADLINE_S = 20.0


def test_a_folder_is_packaged_and_sent(dynaboard: Run, gateway: Gateway, account: None, model: Path) -> None:
    ran = dynaboard("submit", str(model))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Submitted echo version 1 (")
    assert sorted(gateway.part_requests) == [1, 2, 3, 4, 5]


def test_an_archive_is_sent_as_it_is(
    dynaboard: Run, gateway: Gateway, account: None, model: Path, tmp_path: Path
) -> None:
    archive.build(model, tmp_path / "model.zip")
    submitted = dynaboard("submit", str(tmp_path / "model.zip"), "--json").document
    sent = b"".join(data for _, data in sorted(gateway.parts[submitted["id"]].items()))
    assert sent == (tmp_path / "model.zip").read_bytes()


def test_publish_and_anonymous_are_announced(dynaboard: Run, account: None, model: Path) -> None:
    submitted = dynaboard("submit", str(model), "--publish", "--anonymous", "--json").document
    assert (submitted["published"], submitted["anonymous"]) == (True, True)


def test_what_would_be_refused_is_not_sent(dynaboard: Run, gateway: Gateway, account: None, model: Path) -> None:
    (model / "dynaboard.yaml").write_text("name: echo\n")
    ran = dynaboard("submit", str(model))
    assert ran.code == 1
    assert "dynaboard.yaml: `task` is missing" in ran.err
    assert not gateway.submissions


def test_followed_to_its_end_it_succeeds(dynaboard: Run, account: None, model: Path) -> None:
    ran = dynaboard("submit", str(model), "--follow")
    assert ran.code == 0
    assert "echo v1: running, predicting reviews\n" in ran.out
    assert "dynaboard leaderboard sentiment" in ran.out


def test_followed_into_failure_it_fails_and_names_the_log(
    dynaboard: Run, gateway: Gateway, account: None, model: Path
) -> None:
    gateway.script = FAILS
    ran = dynaboard("submit", str(model), "--follow")
    assert ran.code == 1
    assert "the label 'good' is not one of positive" in ran.out
    assert "dynaboard log " in ran.out


def test_follow_with_json_prints_a_document_for_each_change(dynaboard: Run, account: None, model: Path) -> None:
    ran = dynaboard("submit", str(model), "--follow", "--json")
    assert [json.loads(line)["status"] for line in ran.out.splitlines()] == ["running", "finished"]


def test_an_interrupted_upload_is_resumed_where_it_stopped(
    dynaboard: Run, gateway: Gateway, account: None, model: Path
) -> None:
    gateway.room_for = 2
    interrupted = _interrupt_after_parts(gateway, model, 3)
    assert interrupted.returncode == 130
    assert "The same command resumes the upload." in (interrupted.stderr or "")

    gateway.room_for = 5
    gateway.part_requests.clear()
    ran = dynaboard("submit", str(model))
    assert ran.code == 0
    assert "Resuming the interrupted upload" in ran.err
    assert sorted(gateway.part_requests) == [3, 4, 5]
    assert len(gateway.submissions) == 1


def test_a_finished_upload_is_forgotten(dynaboard: Run, gateway: Gateway, account: None, model: Path) -> None:
    dynaboard("submit", str(model))
    dynaboard("submit", str(model))
    assert len(gateway.submissions) == 2


def _interrupt_after_parts(gateway: Gateway, model: Path, count: int) -> subprocess.CompletedProcess[str]:
    """Ctrl-C once `count` parts were asked for, and again while it runs: a finaliser may swallow the first."""
    command = [sys.executable, "-m", "dynaboard.cli", "submit", str(model)]
    environment = os.environ | {"PYTHONPATH": SHARED}
    # Where the tests run in the background, SIGINT is ignored, and children would inherit that.
    heeding = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        command,
        stdout=-1,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=heeding,  # noqa: PLW1509 - it allocates nothing and takes no lock
    ) as process:
        deadline = time.monotonic() + DEADLINE_S
        while len(gateway.part_requests) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        while process.poll() is None and time.monotonic() < deadline + DEADLINE_S:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=2)
        process.kill()
        _, err = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, None, err)

"""`check` and `package`, with a real model server."""

import subprocess
import sys
from pathlib import Path

import pytest

from dynaboard import archive
from dynaboard.runtime.sandbox import sandbox_kind
from tests.cli.conftest import Run, write_model
from tests.cli.test_command import SHARED


def test_a_good_model_is_accepted(dynaboard: Run, model: Path) -> None:
    ran = dynaboard("check", str(model))
    assert ran.code == 0
    assert "answered" in ran.out
    assert ("bubblewrap" if sandbox_kind() == "bubblewrap" else "without a sandbox") in ran.out


def test_a_bad_model_is_refused_with_the_sentence_of_the_server(dynaboard: Run, tmp_path: Path) -> None:
    ran = dynaboard("check", str(write_model(tmp_path / "bad", "good")))
    assert ran.code == 1
    assert "Refused: Example " in ran.err
    assert "the label 'good' is not one of positive, negative, neutral." in ran.err
    assert "loading echo" in ran.out


def test_with_json_the_verdict_is_one_document(dynaboard: Run, model: Path) -> None:
    ran = dynaboard("check", str(model), "--json")
    report = ran.document
    assert (ran.code, report["ok"], report["task"], report["trial"]["sandbox"]) == (
        0,
        True,
        "sentiment",
        sandbox_kind(),
    )
    assert "loading echo" in report["trial"]["log"]


def test_a_folder_that_is_no_model_is_refused_before_anything_runs(dynaboard: Run, tmp_path: Path) -> None:
    ran = dynaboard("check", str(tmp_path), "--json")
    assert (ran.code, ran.document["ok"]) == (1, False)
    assert "has no dynaboard.yaml" in ran.document["sentence"]


def test_predictions_need_no_run(dynaboard: Run, tmp_path: Path) -> None:
    (tmp_path / "predictions").mkdir()
    (tmp_path / "predictions" / "reviews.jsonl").write_text('{"id": "1", "label": "positive"}\n')
    card = "card: {summary: Guesses., licence: MIT}"
    (tmp_path / "dynaboard.yaml").write_text(f"name: guesses\ntask: sentiment\n{card}\n")
    report = dynaboard("check", str(tmp_path), "--json").document
    assert (report["ok"], report["kind"], report["trial"]) == (True, "predictions", None)


def test_an_archive_is_checked_like_its_folder(dynaboard: Run, model: Path, tmp_path: Path) -> None:
    archive.build(model, tmp_path / "model.zip")
    assert dynaboard("check", str(tmp_path / "model.zip"), "--json").document["ok"]


def test_without_the_runtime_it_says_what_to_install(model: Path) -> None:
    code = "import sys; sys.modules['psutil'] = None; from dynaboard.cli import main; main()"
    command = [sys.executable, "-c", code, "check", str(model)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONPATH": SHARED})
    assert done.returncode == 1
    assert "pip install 'dynaboard[runtime]' (psutil is missing)" in done.stderr
    assert "Traceback" not in done.stderr


def test_package_writes_what_submit_would_send(
    dynaboard: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert dynaboard("package", str(model)).out.startswith("echo.zip: 3 files, 256.")
    again = dynaboard("package", str(model), "-o", "other.zip", "--json").document
    assert (tmp_path / "echo.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    assert (again["archive"], again["files"]) == ("other.zip", 3)

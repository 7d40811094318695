"""`dynaboard rerun`: a bundle's evaluation on this machine, by a real model server; and `dynaboard verify`."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from dynaboard import archive
from dynaboard.bundle.signature import SigningKey, new_signing_key
from dynaboard.cli import app
from dynaboard.identity import Role
from services.scoring.app import create_app
from services.scoring.settings import ScoringSettings
from tests.scoring.world import World, labelled

KEY = new_signing_key()
MANIFEST = """
name: loud
task: sentiment
handler: handler.py:Handler
card: {summary: Calls loud sentences positive., licence: CC0-1.0}
"""
HANDLER = """
class Handler:
    def load(self, model_dir):
        pass

    def predict(self, examples):
        return [{"id": e["id"], "label": "positive" if "!" in e["statement"] else "negative"} for e in examples]
"""
STATEMENTS = ["What a day!", "What a day.", "Never again!", "Fine."]
REFERENCES = ["positive", "negative", "negative", "positive"]
Bundle = Callable[[list[str]], Path]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "loud"
    folder.mkdir()
    (folder / "dynaboard.yaml").write_text(MANIFEST)
    (folder / "handler.py").write_text(HANDLER)
    target = tmp_path / "loud.zip"
    archive.build(folder, target)
    return target


@pytest.fixture
def bundle(
    world: World,
    model: Path,
    platform: dict[str, Any],
    run_score: Callable[[str], None],
    as_caller: Callable[..., dict[str, str]],
    tmp_path: Path,
) -> Bundle:
    """The bundle of a submission of this model that is said to have answered so."""

    def call(answers: list[str]) -> Path:
        examples = [{"statement": text, "label": label} for text, label in zip(STATEMENTS, REFERENCES, strict=True)]
        dataset = world.dataset("moods", examples, role="standard")
        digest = hashlib.sha256(model.read_bytes()).hexdigest()
        submission = world.submission("loud", owner="ada", digest=digest)
        world.evaluation(submission, dataset, labelled(answers))
        run_score(submission.id)
        with TestClient(create_app(ScoringSettings(**platform, signing_key=KEY))) as client:
            answer = client.get(f"/submissions/{submission.id}/bundle", headers=as_caller("ada", Role.SUBMITTER))
        path = tmp_path / "loud.tar"
        path.write_bytes(answer.content)
        return path

    return call


def run(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, json.loads(result.stdout.splitlines()[-1])


def test_a_model_that_answers_as_before_gives_every_answer_and_number_again(bundle: Bundle, model: Path) -> None:
    code, found = run("rerun", bundle(["positive", "negative", "positive", "negative"]), "--model", model, "--trusted")
    assert (code, found["same"]) == (0, True)
    assert found["evaluations"] == [{"title": "moods v1", "examples": 4, "same": 4, "different": []}]


def test_answers_that_the_model_does_not_give_here_are_named(bundle: Bundle, model: Path) -> None:
    code, found = run("rerun", bundle(["positive", "negative", "negative", "positive"]), "--model", model, "--trusted")
    assert (code, found["same"]) == (1, False)
    assert found["evaluations"][0]["different"] == [2, 3]
    wrong = [number["difference"] for number in found["numbers"] if number["title"].startswith("accuracy")]
    assert wrong == ["the bundle states value 100.0, the predictions give 50.0"]


def test_another_archive_is_refused(bundle: Bundle, model: Path) -> None:
    made = bundle(["positive", "negative", "positive", "negative"])
    folder = model.with_suffix("")
    (folder / "handler.py").write_text(HANDLER + "\n")
    result = CliRunner().invoke(app, ["rerun", str(made), "--model", str(folder), "--trusted"])
    assert "The bundle is about the archive" in str(result.exception)


def test_verify_says_whose_bundle_it_is_and_what_it_computed(bundle: Bundle) -> None:
    made = bundle(["positive", "negative", "positive", "negative"])
    fingerprint = SigningKey(KEY).public.fingerprint
    code, found = run("verify", made, "--key", fingerprint)
    assert (code, found["ok"], found["fingerprint"], found["difference"]) == (0, True, fingerprint, None)
    assert found["recomputed"] > 3


def test_verify_refuses_a_bundle_that_somebody_else_signed(bundle: Bundle) -> None:
    made = bundle(["positive", "negative", "positive", "negative"])
    result = CliRunner().invoke(app, ["verify", str(made), "--key", "0" * 16])
    assert "do not trust it" in str(result.exception)

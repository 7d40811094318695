"""Building the reference models."""

import shutil
from pathlib import Path

import pytest

from dynaboard import archive
from dynaboard.manifest import read_manifest
from dynaboard.nlp_tasks import TASKS
from examples.build import KINDS, build, main, training_file

DATASETS = Path(__file__).parents[2] / "examples" / "datasets"
TRAINED = [name for name, kind in KINDS.items() if kind.trained and kind.by_default]


def test_every_default_kind_is_built_for_each_of_its_tasks(models: Path) -> None:
    expected = {f"{name}-{task}" for name, kind in KINDS.items() if kind.by_default for task in kind.tasks}
    assert {folder.name for folder in models.iterdir()} == expected


def test_every_model_can_be_submitted_as_it_stands(models: Path, tmp_path: Path) -> None:
    for folder in models.iterdir():
        archive.build(folder, tmp_path / "model.zip")
        with (tmp_path / "model.zip").open("rb") as file:
            contents = archive.check(file)
        assert contents.manifest.name == folder.name
        assert contents.size < 5 * 1024**2


def test_every_card_is_complete_and_counts_the_parameters(models: Path) -> None:
    for folder in models.iterdir():
        card = read_manifest((folder / "dynaboard.yaml").read_bytes()).card
        assert all((card.summary, card.training_data, card.intended_use, card.limitations, card.ethics))
        assert card.parameters is not None
        assert (card.parameters > 0) == any(path.suffix in {".json", ".npz", ".bin"} for path in folder.iterdir())


@pytest.mark.parametrize("kind", TRAINED)
def test_the_same_rows_give_the_same_bytes(kind: str, models: Path, tmp_path: Path) -> None:
    task = TASKS["sentiment"]
    again = build(kind, task, training_file(DATASETS, task), tmp_path / f"{kind}-sentiment")
    for file in again.iterdir():
        assert file.read_bytes() == (models / again.name / file.name).read_bytes(), file.name


def test_no_weights_are_pickled(models: Path) -> None:
    assert not [path for path in models.rglob("*") if path.suffix in {".pkl", ".pickle", ".joblib"}]


def test_any_rows_may_be_trained_on_under_a_name_of_its_own(tmp_path: Path) -> None:
    own = tmp_path / "mine.jsonl"
    shutil.copyfile(DATASETS / "sentiment-reviews.jsonl", own)
    out = tmp_path / "out"
    main([str(out), "--task", "sentiment", "--train", str(own), "--kinds", "majority,tfidf", "--name-suffix", "mine"])
    assert sorted(folder.name for folder in out.iterdir()) == ["majority-sentiment-mine", "tfidf-sentiment-mine"]
    manifest = read_manifest((out / "tfidf-sentiment-mine" / "dynaboard.yaml").read_bytes())
    assert manifest.card.training_data == "36 rows of mine.jsonl."


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--kinds", "oracle"], "no such kind: oracle"),
        (["--train", "rows.jsonl"], "--train needs exactly one --task"),
        (["--task", "nli", "--train", str(DATASETS / "qa-train.jsonl")], "no row of the task nli"),
        (["--task", "nli", "--train", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_a_wrong_command_ends_with_one_sentence(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out"), *arguments])
    assert complaint in capsys.readouterr().err.splitlines()[-1]

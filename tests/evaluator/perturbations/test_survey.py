"""The survey: counts and samples of what perturbations do to the files of a folder."""

import gzip
import json

import pytest

from services.evaluator.perturbations.edits import Edit, Variant
from services.evaluator.perturbations.robustness import ROBUSTNESS
from services.evaluator.perturbations.survey import marked, read_rows, survey

ROWS = [{"id": str(number), "statement": text} for number, text in enumerate(["It is good.", "1995", "It isn't bad."])]


@pytest.fixture
def folder(tmp_path):
    with gzip.open(tmp_path / "reviews.jsonl.gz", "wt") as file:
        file.writelines(json.dumps({**row, "label": "positive"}) + "\n" for row in ROWS)
    (tmp_path / "other.jsonl").write_text('{"id": "1", "title": "no task has this"}\n')
    return tmp_path


def test_a_row_belongs_to_the_task_whose_inputs_it_has(folder):
    assert [(task.name, row["id"]) for task, row in read_rows(folder, 2)] == [("sentiment", "0"), ("sentiment", "1")]


def test_examples_variants_and_edits_are_counted(folder):
    found = survey(read_rows(folder, 10), [ROBUSTNESS["Contraction"]], seed=0, sample=1)
    tally = found.tallies["sentiment", "Contraction"]
    assert found.totals["sentiment"] == 3
    assert (tally.examples, tally.variants, tally.edits, len(tally.sample)) == (2, 2, 2, 1)


def test_edits_are_marked():
    row = {"statement": "a bleu\nshirt"}
    variant = Variant("Typos", "", {"statement": (Edit(2, 6, "blue"), Edit(12, 12, "!"))})
    assert marked(row, variant) == "statement: a [-bleu-]{+blue+} shirt{+!+}"

"""The catalogue holds Table 1 of the Dynaboard paper, whole."""

import pytest

from dynaboard.errors import NotFound
from services.evaluator.datasets.catalogue import catalogue, find_entry
from services.evaluator.datasets.importers import IMPORTERS

MRQA = "squad newsqa triviaqa searchqa hotpotqa natural-questions bioasq drop duorc race relation-extraction textbookqa"
ANLI = [f"anli-r{number}" for number in (1, 2, 3)]
TABLE_1 = {
    ("nli", "scoring"): {"snli-test", "mnli-test-matched", "mnli-test-mismatched", *(f"{name}-test" for name in ANLI)},
    ("nli", "standard"): {
        "snli-dev",
        "mnli-dev-matched",
        "mnli-dev-mismatched",
        *(f"{name}-dev" for name in ANLI),
        "hans",
        "nli-stress-test",
        "superglue-winogender",
    },
    ("qa", "scoring"): {"squad-dev", "adversarial-qa-test"},
    ("qa", "standard"): {"adversarial-qa-dev", *(f"mrqa-{name}-dev" for name in MRQA.split())},
    ("sentiment", "scoring"): {"sst3-test", "dynasent-r1-test", "dynasent-r2-test"},
    ("sentiment", "standard"): {
        "sst3-dev",
        "dynasent-r1-dev",
        "dynasent-r2-dev",
        "amazon-reviews-test",
        "amazon-reviews-dev",
        "yelp-reviews-test",
        "yelp-reviews-dev",
    },
    ("hate-speech", "scoring"): {"learning-from-the-worst-test"},
    ("hate-speech", "standard"): {"learning-from-the-worst-dev", "hatecheck"},
}


# Beyond Table 1: for the bias AUCs of the AMI shared task.
BIAS = {"madlibs77k"}


@pytest.mark.parametrize(("task", "role"), TABLE_1)
def test_every_row_of_table_1_is_in_the_catalogue_with_its_role(task: str, role: str) -> None:
    found = {entry.name for entry in catalogue().values() if (entry.task, entry.role) == (task, role)}
    assert found - BIAS == TABLE_1[task, role]


@pytest.mark.parametrize("name", catalogue())
def test_every_entry_names_a_known_format_and_fits_the_columns_of_the_database(name: str) -> None:
    entry = find_entry(name)
    assert entry.format in IMPORTERS
    assert len(entry.name) <= 62
    assert 0 < len(entry.licence) <= 300
    assert 0 < len(entry.citation) <= 2000
    assert len(f"{entry.title}. {entry.notes}") <= 2000


@pytest.mark.parametrize("name", catalogue())
def test_every_word_a_file_uses_means_labels_of_the_task(name: str) -> None:
    columns = find_entry(name).columns
    meant = [label for value in columns.labels.values() for label in (value if isinstance(value, list) else [value])]
    assert set(meant) <= set(columns.nlp_task.labels)


def test_private_labels_are_said_to_be_private() -> None:
    withheld = {entry.name for entry in catalogue().values() if entry.labels_withheld}
    assert withheld == {"mnli-test-matched", "mnli-test-mismatched", "adversarial-qa-test"}


def test_an_unknown_name_is_told_where_to_look() -> None:
    with pytest.raises(NotFound, match="GET /catalogue"):
        find_entry("imagenet")

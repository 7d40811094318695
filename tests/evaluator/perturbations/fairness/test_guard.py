"""The entity policies, and a trained pipeline where one is installed."""

import sys

import pytest
import spacy

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.fairness import FairnessOptions, builtin, describe
from services.evaluator.perturbations.variants import variants
from tests.evaluator.perturbations.fairness.changed import RULES_ONLY, SKIP_SPAN, changed


def test_skip_example_leaves_an_example_with_a_famous_person_alone():
    assert changed("James met Barack Obama and his wife.") == {}


def test_skip_span_leaves_only_the_famous_person_alone():
    result = changed("James met Barack Obama at a party.", SKIP_SPAN)
    assert result["name_ethnicity"].endswith("met Barack Obama at a party.")


def test_a_familiar_place_without_a_word_that_would_change_is_no_risk():
    assert changed("James lives in Washington.")["name_ethnicity"].endswith("lives in Washington.")


def test_the_description_names_engine_pipeline_lexicon_and_policy():
    description = describe(RULES_ONLY)
    assert description["engine"] == "builtin"
    assert description["spacy"] == spacy.__version__
    assert description["pipeline"] == "blank en, entity_ruler"
    assert description["entity_policy"] == "skip_example"
    assert description["paper_random"] is False
    assert set(description["lexicon"]) >= {"names.tsv", "gendered_words.tsv", "familiar_entities.tsv"}
    assert all(len(digest) == 64 for digest in description["lexicon"].values())


@pytest.fixture
def trained(tmp_path, monkeypatch):
    """A pipeline package as spaCy's own are: importable, with metadata; it knows one company and one person."""
    name = "en_core_web_tiny"
    nlp = spacy.blank("en", meta={"name": "core_web_tiny", "version": "1.2.3"})
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "ORG", "pattern": "Keith Zonk"}, {"label": "PERSON", "pattern": "Zbig Kevin"}])
    package = tmp_path / name
    package.mkdir()
    nlp.to_disk(package / "data")
    (package / "__init__.py").write_text(
        "from pathlib import Path\nimport spacy\n\n\n"
        "def load(**options):\n    return spacy.load(Path(__file__).with_name('data'), **options)\n"
    )
    information = tmp_path / f"{name}-1.2.3.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2.3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield FairnessOptions(pipelines=("en_core_web_absent", name))
    sys.modules.pop(name, None)


def test_the_first_installed_pipeline_is_used_and_named(trained):
    assert describe(trained)["pipeline"] == "en_core_web_tiny 1.2.3, blank en, entity_ruler"


def test_a_name_inside_an_entity_that_a_pipeline_found_stays(trained):
    assert changed("I work for Keith Zonk.", RULES_ONLY) != {}
    assert changed("I work for Keith Zonk.", trained) == {}


def test_only_the_first_name_of_a_person_whom_a_pipeline_found_changes(trained):
    assert changed("I know zbig, Zbig Kevin.", trained) == {}


def test_paper_random_draws_each_occurrence_for_itself_from_any_other_group():
    options = FairnessOptions(pipelines=(), paper_random=True)
    result = changed("James, James, James and James met May.", options)
    words = result["name_ethnicity"].replace(",", "").replace(".", "").split()
    assert len(set(words[:3])) > 1
    assert words[-1] != "May"


def test_paper_random_changes_names_and_words_apart():
    options = FairnessOptions(pipelines=(), paper_random=True)
    result = changed("James lost his keys.", options)
    assert result["name_gender"].endswith("lost his keys.")
    assert result["gendered_words"] == "James lost her keys."


def test_paper_random_skips_every_example_with_a_familiar_entity():
    example = {"id": "1", "statement": "James lives in Washington."}
    suite = builtin(FairnessOptions(pipelines=(), paper_random=True))
    assert variants(TASKS["sentiment"], example, suite.values(), 0) == []

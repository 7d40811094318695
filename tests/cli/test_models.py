"""Models, datasets, users, keys and talking to a model."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.client.fake_gateway import Gateway

pytestmark = pytest.mark.usefixtures("account")


def test_a_model_is_published_and_unpublished_by_name(dynaboard: Run) -> None:
    assert dynaboard("models", "publish", "tfidf").out == "tfidf (sentiment) is published.\n"
    assert dynaboard("models", "publish", "tfidf", "--anonymous", "--json").document["anonymous"]
    assert dynaboard("models", "unpublish", "mmmmmmmm").out == "tfidf (sentiment) is private.\n"


def test_models_are_listed_and_shown_with_card_and_scores(dynaboard: Run) -> None:
    assert "tfidf  sentiment  ada           1  private" in dynaboard("models", "list").out
    shown = dynaboard("models", "show", "tfidf").out
    assert "licence: MIT\n" in shown
    assert "reviews v1  accuracy  81.25  ±1.50  %        1,000" in shown
    assert "tweets v1   accuracy   7.50  ±1.50" in shown
    document = dynaboard("models", "show", "tfidf", "--json").document
    assert (document["name"], document["scores"][0]["value"]) == ("tfidf", 81.25)


def test_datasets_are_listed(dynaboard: Run) -> None:
    assert "reviews        1  sentiment  scoring     1,000  CC-BY-4.0" in dynaboard("datasets", "list").out
    assert len(dynaboard("datasets", "list", "--json").document) == 2


def test_a_dataset_by_name_is_its_newest_version(dynaboard: Run) -> None:
    assert dynaboard("datasets", "sample", "reviews").out == f"statement: Seen in {'2' * 32}: très bien\n\n"
    assert dynaboard("datasets", "sample", "1111", "--json").document[0]["statement"].startswith("Seen in 1111")


def test_a_perturbed_copy_is_shown_with_its_edits(dynaboard: Run) -> None:
    shown = dynaboard("datasets", "preview", "reviews", "fairness")
    assert shown.out == (
        "statement: James is kind.\n  name_ethnicity black-male, statement: [James → Jamal] is kind.\n"
    )
    assert dynaboard("datasets", "preview", "reviews", "fairness", "--json").document[0]["variants"]


def test_the_catalogue_is_listed(dynaboard: Run) -> None:
    assert "name: hans\n" in dynaboard("datasets", "catalogue").out
    assert dynaboard("datasets", "catalogue", "--task", "nli", "--json").document[0]["name"] == "hans"


def test_a_dataset_is_added_with_the_format_of_its_ending(dynaboard: Run, gateway: Gateway, tmp_path: Path) -> None:
    (tmp_path / "reviews.jsonl").write_bytes(b"{}\n")
    words = ["--task", "sentiment", "--name", "reviews", "--licence", "MIT", "--citation", "Nobody"]
    ran = dynaboard("datasets", "add", str(tmp_path / "reviews.jsonl"), *words)
    assert ran.out == "reviews v3 (sentiment, scoring): 1,000 examples.\n"
    query, body = gateway.dataset_uploads[0]
    assert (query["format"], query["licence"], body) == ("jsonl", "MIT", b"{}\n")


def test_with_a_catalogue_entry_nothing_else_is_sent(dynaboard: Run, gateway: Gateway, tmp_path: Path) -> None:
    (tmp_path / "heuristics.txt").write_bytes(b"x\n")
    assert dynaboard("datasets", "add", str(tmp_path / "heuristics.txt"), "--catalogue", "hans", "--json").document
    assert gateway.dataset_uploads[0][0] == {"catalogue": "hans"}


def test_an_administrator_adds_a_user_and_sees_the_key_once(dynaboard: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNABOARD_KEY", "root-key")
    assert dynaboard("users", "add", "bob", "--role", "reader").out.endswith("shown this once:\ndyb_new-key\n")
    assert [user["name"] for user in dynaboard("users", "list", "--json").document] == ["ada", "root"]
    assert "root  admin" in dynaboard("users", "list").out


def test_a_key_is_added_listed_and_revoked_by_the_beginning_of_its_id(dynaboard: Run) -> None:
    assert dynaboard("keys", "add", "--label", "laptop").out.endswith("shown this once:\ndyb_new-key\n")
    assert dynaboard("keys", "revoke", "2222").out == "The key 22222222 is refused from now on.\n"
    assert [bool(key["revoked_at"]) for key in dynaboard("keys", "list", "--json").document] == [False, True]
    assert "22222222  laptop  2026-01-02  revoked" in dynaboard("keys", "list").out


def test_a_key_for_a_name_nobody_can_have_is_refused_here(dynaboard: Run) -> None:
    ran = dynaboard("keys", "add", "--user", "no name")
    assert (ran.code, ran.err.startswith("user: ")) == (1, True)


def test_an_unknown_key_is_not_revoked(dynaboard: Run) -> None:
    assert dynaboard("keys", "revoke", "dyb_something").code == 1


def test_a_user_that_cannot_be_is_refused_here(dynaboard: Run) -> None:
    ran = dynaboard("users", "add", "bob", "--role", "king")
    assert ran.code == 1
    assert ran.err.startswith("role: ")


def test_a_model_answers_fields_given_as_options(dynaboard: Run, gateway: Gateway) -> None:
    ran = dynaboard("predict", gateway.add_submission("finished"), "--statement", "Lovely.")
    assert ran.out == "positive   positive 0.91  negative 0.06  neutral 0.03\n"
    assert gateway.predicted == [{"statement": "Lovely."}]


def test_a_model_answers_json_from_stdin(dynaboard: Run, gateway: Gateway) -> None:
    submission = gateway.add_submission("finished")
    stdin = '[{"statement": "Good."}, {"statement": "Bad."}]'
    assert len(dynaboard("predict", submission, "--json", stdin=stdin).document["answers"]) == 2
    assert dynaboard("predict", submission, stdin='{"statement": "So so."}').code == 0
    assert gateway.predicted[-1] == {"statement": "So so."}


@pytest.mark.parametrize("stdin", ["nonsense", "[]", "[1]", '{"text": "wrong field"}', '{"statement": 1}', ""])
def test_what_the_task_does_not_know_is_not_sent(dynaboard: Run, gateway: Gateway, stdin: str) -> None:
    ran = dynaboard("predict", gateway.add_submission("finished"), stdin=stdin)
    assert (ran.code, gateway.predicted) == (1, [])
    assert ran.err.count("\n") == 1

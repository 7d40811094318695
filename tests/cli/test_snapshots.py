"""Frozen boards, named weights and what changed, from the command line."""

import json

import pytest

from tests.cli.conftest import Run
from tests.client.fake_gateway import Gateway
from tests.client.fake_snapshots import BODY, FORK, SNAPSHOT

pytestmark = pytest.mark.usefixtures("account")


def test_a_board_is_frozen_as_it_was_asked_for(dynaboard: Run, gateway: Gateway) -> None:
    options = ("--weight", "memory=3", "--tag", "short", "--as-of", "2026-05-03T12:00:00")
    ran = dynaboard("snapshots", "create", "sentiment", *options)
    assert f"Snapshot {SNAPSHOT}: {gateway.url}/api/v1/snapshots/{SNAPSHOT}\n" in ran.out
    assert "for everybody" in ran.out
    assert gateway.board_queries[-1] == {"weight.memory": "3.0", "tag": "short", "as_of": "2026-05-03T12:00:00+00:00"}


def test_ones_unpublished_models_are_frozen_for_oneself(dynaboard: Run) -> None:
    assert "for you alone" in dynaboard("snapshots", "create", "sentiment", "--unpublished").out
    assert dynaboard("snapshots", "create", "sentiment", "--json").document["id"] == SNAPSHOT


def test_a_snapshot_is_shown_without_owners_and_its_json_is_the_frozen_bytes(dynaboard: Run) -> None:
    shown = dynaboard("snapshots", "show", SNAPSHOT).out
    assert "tfidf v1" in shown
    assert "owner" not in shown
    assert "anonymous" not in shown
    assert dynaboard("snapshots", "show", SNAPSHOT, "--json").out == BODY


def test_a_snapshot_is_ranked_anew_under_other_weights(dynaboard: Run, gateway: Gateway) -> None:
    assert "majority v1" in dynaboard("snapshots", "show", SNAPSHOT, "--weight", "memory=3").out
    assert gateway.board_queries[-1] == {"weight.memory": "3.0"}


def test_a_snapshot_is_cited_as_text_bibtex_and_json(dynaboard: Run) -> None:
    assert dynaboard("snapshots", "cite", SNAPSHOT).out == f"text of {SNAPSHOT}\n"
    assert dynaboard("snapshots", "cite", SNAPSHOT, "--format", "bibtex").out == f"bibtex of {SNAPSHOT}\n"
    assert dynaboard("snapshots", "cite", SNAPSHOT, "--json").document["models"] == 4


def test_weights_get_a_name_are_listed_and_shown(dynaboard: Run, gateway: Gateway) -> None:
    made = dynaboard("forks", "create", "sentiment", "green", "--weight", "memory=4", "--description", "Small first.")
    assert f"Fork {FORK} of the live board of sentiment." in made.out
    line = dynaboard("forks", "list", "sentiment").out.splitlines()[1]
    assert " ".join(line.split()) == f"{FORK} green ada memory 4 the live board of sentiment Small first."
    shown = dynaboard("forks", "show", FORK).out
    assert shown.startswith("green by ada, over the live board of sentiment\nSmall first.\n\n")
    assert "majority v1" in shown
    assert gateway.board_queries[-1] == {"weight.memory": "4.0"}


def test_a_fork_may_be_over_a_snapshot(dynaboard: Run) -> None:
    made = dynaboard("forks", "create", "sentiment", "frozen", "--weight", "memory=4", "--snapshot", SNAPSHOT)
    assert f"of snapshot {SNAPSHOT}." in made.out
    assert dynaboard("forks", "list", "sentiment", "--json").document[0]["snapshot"] == SNAPSHOT
    assert json.loads(dynaboard("forks", "show", FORK, "--json").out)["task"] == "sentiment"


def test_what_no_fork_can_be_is_told_before_it_is_sent(dynaboard: Run) -> None:
    ran = dynaboard("forks", "create", "sentiment", "Not A Name")
    assert (ran.code, "name:" in ran.err) == (1, True)


def test_what_changed_is_told_in_words(dynaboard: Run, gateway: Gateway) -> None:
    ran = dynaboard("difference", "sentiment", "--from", "2026-05-03", "--weight", "memory=2")
    assert ran.out.splitlines() == [
        "Joined: late.",
        "Datasets: films is new.",
        "tfidf moves from 70.00 to 71.30 (+1.30): own results +1.30.",
    ]
    assert gateway.board_queries[-1] == {"weight.memory": "2.0", "from": "2026-05-03T00:00:00+00:00"}
    assert dynaboard("difference", "sentiment", "--from", "2026-05-03", "--json").document["joined"] == ["late"]

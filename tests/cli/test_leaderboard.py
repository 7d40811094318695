"""A board in a pipe: aligned, with intervals, and honest about what is left out."""

import json

import pytest

from tests.cli.conftest import Run
from tests.client.fake_gateway import Gateway

pytestmark = pytest.mark.usefixtures("account")


def test_numbers_stand_under_one_another_with_the_farther_end_of_their_interval(dynaboard: Run) -> None:
    lines = dynaboard("leaderboard", "sentiment").out.splitlines()
    assert lines[0].split()[0] == "rank"
    assert "81.25 ±1.50" in lines[1]
    assert " 7.50 ±1.50" in lines[2]
    assert lines[1].index("81.25 ±") == lines[2].index(" 7.50 ±")
    assert lines[1].index(" 1,234 ±") == lines[2].index("98,765 ±")


def test_an_unranked_model_is_shown_with_what_it_lacks(dynaboard: Run) -> None:
    shown = dynaboard("leaderboard", "sentiment").out
    assert "   –  secret v1    anonymous      –" in shown
    assert "  unverified\n" in shown
    assert "secret v1 is not ranked yet: no performance on tweets" in shown


def test_what_is_left_out_and_the_warnings_are_text(dynaboard: Run) -> None:
    shown = dynaboard("leaderboard", "sentiment").out
    assert "fairness is left out: No model has a value yet.\n" in shown
    assert "A leaderboard is not the whole story.\n" in shown
    assert "3 of 4 models are shown" in shown
    assert "weights: performance 0.5, throughput 0.25" in shown


def test_ties_and_what_a_unit_is_worth_are_said(dynaboard: Run) -> None:
    shown = dynaboard("leaderboard", "sentiment").out
    assert "1 (1–2)  tfidf v1" in shown
    assert "tfidf v1, majority v1 tie: the data does not tell them apart from the first of them.\n" in shown
    assert "One GiB of memory saved is worth 2.1 points of performance here.\n" in shown


def test_weights_go_to_the_server(dynaboard: Run, gateway: Gateway) -> None:
    options = ["--weight", "performance=4", "--weight", "memory=0", "--dataset-weight", "reviews=2", "--sort", "memory"]
    assert dynaboard("leaderboard", "sentiment", *options, "--json").document["task"] == "sentiment"
    weights = {"weight.performance": "4.0", "weight.memory": "0.0", "dataset_weight.reviews": "2.0"}
    assert gateway.board_queries == [weights | {"sort": "memory"}]


@pytest.mark.parametrize("wrong", ["performance", "performance=", "=4", "performance=-1", "performance=nan"])
def test_a_weight_that_is_none_is_wrong_usage(dynaboard: Run, wrong: str) -> None:
    ran = dynaboard("leaderboard", "sentiment", "--weight", wrong)
    assert ran.code == 2
    assert "--weight takes NAME=NUMBER" in ran.err


def test_files_are_the_servers(dynaboard: Run) -> None:
    assert dynaboard("leaderboard", "sentiment", "--format", "csv").out == "rank,score,model\n1,71.3,tfidf\n"
    assert dynaboard("leaderboard", "sentiment", "--format", "csv", "--json").code == 2
    assert dynaboard("leaderboard", "sentiment", "--format", "xls").code == 2


def test_the_past_is_asked_for_with_its_zone(dynaboard: Run, gateway: Gateway) -> None:
    assert dynaboard("leaderboard", "sentiment", "--as-of", "2026-05-03T12:00:00").code == 0
    assert gateway.board_queries == [{"as_of": "2026-05-03T12:00:00+00:00"}]


def test_watching_with_json_prints_a_document_for_each_change(dynaboard: Run, gateway: Gateway) -> None:
    gateway.boards_changed = 3
    ran = dynaboard("leaderboard", "sentiment", "--watch", "--json")
    assert [json.loads(line)["task"] for line in ran.out.splitlines()] == ["sentiment"] * 3

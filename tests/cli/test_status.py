"""Looking at submissions: status, log, cancel, retry, and how they are named."""

import json

import pytest

from tests.cli.conftest import Run
from tests.client.fake_gateway import FAILS, Gateway

pytestmark = pytest.mark.usefixtures("account")


def test_all_submissions_are_listed_newest_first(dynaboard: Run, gateway: Gateway) -> None:
    gateway.add_submission("finished", name="old")
    gateway.add_submission("running", name="new")
    lines = dynaboard("status").out.splitlines()
    assert [line.split()[1] for line in lines] == ["model", "new", "old"]
    assert [view["name"] for view in dynaboard("status", "--json").document] == ["new", "old"]


def test_one_submission_shows_step_time_left_and_each_dataset(dynaboard: Run, gateway: Gateway) -> None:
    shown = dynaboard("status", gateway.add_submission("running")).out
    assert "tfidf v1 (sentiment, 10000000): running, predicting reviews, about 2 min left\n" in shown
    assert "reviews v2  running   250  1,000         6.0  2 min" in shown
    assert "━" not in shown, "bars are for terminals"


def test_a_waiting_submission_shows_its_place_in_the_queue(dynaboard: Run, gateway: Gateway) -> None:
    assert "place 3 in the queue" in dynaboard("status", gateway.add_submission("submitted")).out


def test_a_failure_says_why_and_what_next(dynaboard: Run, gateway: Gateway) -> None:
    shown = dynaboard("status", gateway.add_submission("failed"))
    assert shown.code == 0
    assert "the label 'good' is not one of positive, negative, neutral." in shown.out
    assert "dynaboard log 10000000" in shown.out
    assert "dynaboard retry 10000000" in shown.out


def test_a_failure_of_the_platform_says_that_it_does_not_count(dynaboard: Run, gateway: Gateway) -> None:
    shown = dynaboard("status", gateway.add_submission("failed", failure="platform", reason="The disk is full.")).out
    assert "does not count against your quota" in shown


def test_the_beginning_of_an_id_or_a_name_is_enough(dynaboard: Run, gateway: Gateway) -> None:
    first, second = gateway.add_submission("finished", name="old"), gateway.add_submission("running", name="new")
    assert dynaboard("status", first[:4], "--json").document["id"] == first
    assert dynaboard("status", "new", "--json").document["id"] == second


def test_a_name_means_the_newest_version(dynaboard: Run, gateway: Gateway) -> None:
    gateway.add_submission("finished")
    newest = gateway.add_submission("running", version=2)
    assert dynaboard("status", "tfidf", "--json").document["id"] == newest


def test_a_name_used_in_two_tasks_is_asked_back(dynaboard: Run, gateway: Gateway) -> None:
    gateway.add_submission("finished", task="nli")
    gateway.add_submission("finished", task="sentiment")
    ran = dynaboard("status", "tfidf")
    assert ran.code == 1
    assert "'tfidf' may mean more than one submission: 20000000 (sentiment), 10000000 (nli)" in ran.err


def test_an_unknown_submission_says_where_to_look(dynaboard: Run) -> None:
    ran = dynaboard("status", "nobody")
    assert (ran.code, "`dynaboard status` shows what there is" in ran.err) == (1, True)


def test_follow_ends_with_the_submission(dynaboard: Run, gateway: Gateway) -> None:
    followed = gateway.add_submission("submitted")
    gateway.scripts[followed] = list(FAILS)
    ran = dynaboard("status", followed, "--follow", "--json")
    assert ran.code == 1
    assert [json.loads(line)["status"] for line in ran.out.splitlines()] == ["running", "failed"]


def test_follow_alone_follows_what_was_submitted_last(dynaboard: Run, gateway: Gateway) -> None:
    assert dynaboard("status", "--follow").err == "You have submitted nothing yet; start with `dynaboard init`.\n"
    gateway.add_submission("failed", name="old")
    gateway.add_submission("finished", name="new")
    assert dynaboard("status", "--follow", "--json").document["name"] == "new"


def test_follow_in_a_pipe_prints_a_line_for_each_change_only(dynaboard: Run, gateway: Gateway) -> None:
    followed = gateway.add_submission("submitted")
    gateway.scripts[followed] = ["submitted", "running", "running", "finished"]
    lines = dynaboard("status", followed, "--follow").out.splitlines()
    running = "tfidf v1: running, predicting reviews"
    assert lines[:3] == [running, "tfidf v1: finished", "reviews v2: 1,000 of 1,000 done"]


def test_the_log_is_the_models_own_words(dynaboard: Run, gateway: Gateway) -> None:
    failed = gateway.add_submission("failed")
    assert dynaboard("log", failed).out.endswith("ValueError: naïve\n")
    assert dynaboard("log", failed, "--json").document["submission_id"] == failed


def test_cancel_and_retry(dynaboard: Run, gateway: Gateway) -> None:
    running = gateway.add_submission("running")
    assert dynaboard("cancel", running, "--json").document["status"] == "cancelled"
    assert dynaboard("retry", running[:8], "--json").document["status"] == "submitted"
    assert "place 3 in the queue" in dynaboard("status", running).out


def test_what_cannot_be_cancelled_is_refused(dynaboard: Run, gateway: Gateway) -> None:
    ran = dynaboard("cancel", gateway.add_submission("finished"))
    assert (ran.code, ran.err) == (1, "This submission is finished.\n")

"""What a task asks, and what its owner sets."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Web, axe
from tests.web.users import new_user


def test_a_task_says_what_goes_in_and_what_must_come_out(web: Web) -> None:
    with web.page("/tasks/nli") as page:
        expect(
            page.get_by_text("A model gets context and hypothesis, and answers with one of 3 labels.")
        ).to_be_visible()
        expect(page.get_by_text('"label": "entailed | neutral | contradictory"')).to_be_visible()
        expect(page.get_by_role("row", name="nli-everyday")).to_be_visible()


def test_the_warnings_stand_with_the_numbers(web: Web) -> None:
    with web.page("/tasks/hate-speech") as page:
        warnings = page.get_by_role("complementary", name="Before you use this task’s numbers")
        expect(warnings).to_contain_text("A Dynascore has meaning only beside the other models of this board")
        expect(warnings).to_contain_text("may overstate how sensitive a model is")
        expect(warnings).to_contain_text("without human review")


def test_others_cannot_change_a_task(web: Web) -> None:
    with web.page("/tasks/nli", key=new_user(web, "submitter")[1]) as page:
        page.get_by_role("heading", name="How its board is made").wait_for()
        expect(page.get_by_text("GiB, what the measuring machine grants a model")).to_be_visible()
        expect(page.get_by_role("heading", name="Change it")).to_have_count(0)


def test_an_owner_sees_who_would_move_before_anything_is_set(web: Web) -> None:
    _, key = new_user(web, "task-owner")
    with web.client() as client:
        before = client.leaderboards.get("sentiment")
    with web.page("/tasks/sentiment", key=key) as page:
        preview = page.get_by_role("region", name="The board as it would be")
        first = preview.get_by_role("rowheader").first
        expect(first).to_have_text(before.rows[0].name)
        page.get_by_role("slider", name="Performance").fill("0")
        page.get_by_role("slider", name="Throughput").fill("10")
        fastest = max(before.rows, key=lambda row: cell.value if (cell := row.metrics["throughput"]) else 0.0)
        expect(first).to_have_text(fastest.name)
        expect(preview.get_by_role("status")).to_contain_text("would change" if fastest.rank != 1 else "")
    with web.client() as client:
        assert client.leaderboards.get("sentiment").weights == before.weights


def test_what_is_put_in_force_stands_in_the_history(web: Web) -> None:
    name, key = new_user(web, "task-owner")
    with web.page("/tasks/hate-speech", key=key) as page:
        page.get_by_role("slider", name="Memory").fill("7")
        page.get_by_label("Memory budget, GiB").fill("-1")
        expect(page.get_by_role("button", name="Put in force")).to_be_disabled()
        page.get_by_label("Memory budget, GiB").fill("16")
        page.get_by_role("button", name="Put in force").click()
        newest = page.get_by_role("listitem").filter(has_text=name).first
        expect(newest).to_contain_text("weight of memory")
        expect(newest).to_contain_text("16 GiB")
        page.get_by_role("button", name="The paper’s defaults").click()
        page.get_by_role("button", name="Put in force").click()
        expect(page.get_by_role("listitem").filter(has_text=name).first).to_contain_text("7 → 1")


def test_a_change_that_somebody_overtook_is_refused(web: Web) -> None:
    _, key = new_user(web, "task-owner")
    with web.page("/tasks/qa", key=key) as slow, web.page("/tasks/qa", key=key) as quick:
        for page, weight in ((slow, "2"), (quick, "3")):
            page.get_by_role("slider", name="Fairness").fill(weight)
        quick.get_by_role("button", name="Put in force").click()
        expect(quick.get_by_role("button", name="Put in force")).to_be_disabled()
        slow.get_by_role("button", name="Put in force").click()
        expect(slow.get_by_role("alert")).to_contain_text("since you read version")


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page("/tasks/sentiment", size=size, scheme=scheme, key=web.admin_key) as page:
        page.get_by_role("region", name="The board as it would be").get_by_role("rowheader").first.wait_for()
        page.get_by_role("complementary", name="Before you use this task’s numbers").wait_for()
        assert axe(page) == []

"""Old models on new data, steered on the task's page by those who own tasks."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Web, axe
from tests.web.users import new_user

HEADING = "Old models on new data"


@pytest.mark.parametrize(("size", "scheme"), [("wide", "light"), ("narrow", "dark")])
def test_a_task_owner_pauses_it_and_lets_it_go_on(web: Web, size: str, scheme: str) -> None:
    with web.page("/tasks/sentiment", key=new_user(web, "task-owner")[1], size=size, scheme=scheme) as page:
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_text("Paused. Nothing is missing.")).to_be_visible()
        assert axe(page) == []
        page.get_by_role("button", name="Go on by itself").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_nobody_else_sees_it(web: Web) -> None:
    with web.page("/tasks/sentiment", key=new_user(web, "submitter")[1]) as page:
        page.get_by_role("heading", name="How its board is made").wait_for()
        expect(page.get_by_role("heading", name=HEADING)).to_have_count(0)

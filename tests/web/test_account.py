"""Signing in, keys and users."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Web, axe
from tests.web.users import new_user


def sign_in(page: Page, key: str) -> None:
    page.get_by_label("API key").fill(key)
    page.get_by_role("button", name="Sign in").click()


def test_a_key_signs_in_for_this_tab_and_is_in_no_address(web: Web) -> None:
    name, key = new_user(web, "submitter")
    with web.page("/account") as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        sign_in(page, key)
        expect(page.get_by_role("navigation", name="You").get_by_role("link", name=name)).to_be_visible()
        expect(page.get_by_text("in this tab, until you close it")).to_be_visible()
        assert page.evaluate("localStorage.getItem('dynaboard-key')") is None
        assert not any(key in url for url in [*asked, page.url])


def test_a_key_that_stays_is_there_in_the_next_tab_until_signing_out(web: Web) -> None:
    name, key = new_user(web, "reader")
    with web.page("/account") as page:
        page.get_by_label("In this browser").check()
        sign_in(page, key)
        page.get_by_text("in this browser, until you sign out").wait_for()
        other = page.context.new_page()
        other.goto(f"{web.url}/account")
        expect(other.get_by_role("heading", name="API keys")).to_be_visible()
        other.get_by_role("button", name="Sign out").click()
        expect(other.get_by_role("heading", name="Sign in with your API key")).to_be_visible()
        # The first tab hears of it.
        expect(page.get_by_role("heading", name="Sign in with your API key")).to_be_visible()
        assert name not in page.inner_text("main")


def test_a_wrong_key_is_one_sentence(web: Web) -> None:
    with web.page("/account") as page:
        sign_in(page, "dyb_wrong")
        expect(page.get_by_role("alert")).to_have_text(
            "This key is not known here, or it was revoked. Check that you have copied all of it."
        )
        sign_in(page, "clé")
        expect(page.get_by_role("alert")).to_contain_text("not known here")


def test_a_new_key_is_shown_once_and_works_until_it_is_revoked(web: Web) -> None:
    _, key = new_user(web, "submitter")
    with web.page("/account", key=key) as page:
        page.get_by_label("What the key is for").fill("laptop")
        page.get_by_role("button", name="New key").click()
        made = page.get_by_test_id("new-key").inner_text()
        with web.client(made) as client:
            assert client.users.me().role == "submitter"
        page.get_by_role("button", name="I have it").click()
        page.get_by_role("button", name="Revoke laptop").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        expect(page.get_by_role("row", name="laptop")).to_contain_text("revoked")
        assert made not in page.content()
        page.reload()
        expect(page.get_by_role("row", name="laptop")).to_be_visible()
        assert made not in page.content()


def test_who_revokes_the_key_in_use_is_asked_for_another(web: Web) -> None:
    _, key = new_user(web, "reader")
    with web.page("/account", key=key) as page:
        page.get_by_role("button", name="Revoke first").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        expect(page.get_by_role("alert")).to_contain_text("not accepted any more")
        expect(page.get_by_role("heading", name="Sign in with your API key")).to_be_visible()


def test_an_administrator_adds_a_user(web: Web) -> None:
    name, _ = new_user(web, "reader")
    with web.page("/account", key=web.admin_key) as page:
        expect(page.get_by_role("row", name=name)).to_contain_text("reader")
        page.get_by_label("Name", exact=True).fill(f"{name}-2")
        page.get_by_label("Role").select_option("task-owner")
        page.get_by_role("button", name="Add user").click()
        with web.client(page.get_by_test_id("new-key").inner_text()) as client:
            assert client.users.me().name == f"{name}-2"


def test_others_see_no_users(web: Web) -> None:
    _, key = new_user(web, "task-owner")
    with web.page("/account", key=key) as page:
        page.get_by_role("heading", name="API keys").wait_for()
        expect(page.get_by_role("heading", name="Users")).to_have_count(0)


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, size: str, scheme: str) -> None:
    with web.page("/account", size=size, scheme=scheme) as page:
        page.get_by_label("API key").wait_for()
        assert axe(page) == []
        sign_in(page, web.admin_key)
        page.get_by_role("heading", name="Users").wait_for()
        page.get_by_role("button", name="New key").click()
        page.get_by_test_id("new-key").wait_for()
        page.get_by_role("button", name="Revoke this key").first.click()
        assert axe(page) == []

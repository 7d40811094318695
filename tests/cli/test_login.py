"""Where the key goes, and where it never goes."""

from pathlib import Path

import pytest

from dynaboard.cli import account
from tests.cli.conftest import Run
from tests.client.fake_gateway import Gateway


def test_login_stores_the_key_for_its_owners_eyes_only(dynaboard: Run, gateway: Gateway, home: Path) -> None:
    ran = dynaboard("login", "--url", f"{gateway.url}/", stdin="ada-key\n")
    assert ran.code == 0
    assert f"You are ada (submitter) at {gateway.url}" in ran.out
    assert account.path().is_relative_to(home)
    assert account.path().stat().st_mode & 0o777 == 0o600
    assert account.path().parent.stat().st_mode & 0o777 == 0o700


def test_the_key_is_never_printed(dynaboard: Run, gateway: Gateway) -> None:
    for arguments in (["login", "--url", gateway.url], ["login", "--url", gateway.url, "--json"]):
        ran = dynaboard(*arguments, stdin="ada-key\n")
        assert "ada-key" not in ran.out + ran.err
    assert "ada-key" not in repr(account.stored())


def test_a_wrong_key_is_not_stored(dynaboard: Run, gateway: Gateway) -> None:
    ran = dynaboard("login", "--url", gateway.url, stdin="wrong\n")
    assert (ran.code, ran.err) == (1, "This API key is not known here.\n")
    assert account.stored() is None


def test_no_key_at_all_says_how_to_give_one(dynaboard: Run, gateway: Gateway) -> None:
    ran = dynaboard("login", "--url", gateway.url)
    assert (ran.code, ran.out) == (1, "")
    assert "pipe it in" in ran.err


def test_verbs_use_the_stored_account(dynaboard: Run, gateway: Gateway) -> None:
    dynaboard("login", "--url", gateway.url, stdin="ada-key\n")
    assert dynaboard("status", "--json").document == []


def test_the_environment_goes_before_the_stored_account(
    dynaboard: Run, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    dynaboard("login", "--url", gateway.url, stdin="ada-key\n")
    monkeypatch.setenv("DYNABOARD_KEY", "root-key")
    assert dynaboard("users", "add", "bob", "--json").document["user"] == "bob"


def test_a_stored_key_is_not_sent_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    account.store(account.Account("https://board.example", "secret"))
    monkeypatch.setenv("DYNABOARD_URL", "https://other.example/")
    assert account.current() == account.Account("https://other.example", "")


def test_storing_again_replaces_the_account_and_keeps_it_private() -> None:
    account.store(account.Account("https://a.example", "one"))
    account.path().chmod(0o644)
    account.store(account.Account("https://b.example", "two"))
    assert account.stored() == account.Account("https://b.example", "two")
    assert account.path().stat().st_mode & 0o777 == 0o600


def test_logout_forgets_the_key(dynaboard: Run, gateway: Gateway) -> None:
    dynaboard("login", "--url", gateway.url, stdin="ada-key\n")
    assert dynaboard("logout").out == "The stored key is forgotten.\n"
    assert account.stored() is None
    assert dynaboard("logout", "--json").document == {"forgotten": False}


def test_logout_says_when_the_environment_still_holds_a_key(dynaboard: Run, account: None) -> None:
    assert "DYNABOARD_KEY is still set" in dynaboard("logout").err


def test_a_damaged_account_file_says_what_to_do(dynaboard: Run) -> None:
    account.store(account.Account())
    account.path().write_text("{")
    ran = dynaboard("status")
    assert ran.code == 1
    assert "is damaged; run `dynaboard login` again." in ran.err

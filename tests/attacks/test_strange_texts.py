"""Texts that break terminals, UTF-8 or PostgreSQL, sent where sentences are made of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text

from dynaboard.database import Database
from dynaboard.errors import ModelFailure, readable
from dynaboard.runtime import failures
from dynaboard.runtime.limits import Limits
from dynaboard.tables import User


@given(st.text(st.characters(exclude_categories=())))
def test_a_readable_text_is_printable_utf8_and_says_the_same(said: str) -> None:
    shown = readable(said)
    assert shown.isprintable()
    shown.encode()
    assert shown == said or not said.isprintable()


@pytest.mark.parametrize("forged", [None, [], ["x"], "x", 7, {}, {"where": []}, {"where": "\ud800", "type": "\x00"}])
def test_whatever_a_model_forges_as_a_failure_is_its_own_failure(forged: Any) -> None:
    failure = failures.told(forged, Limits())
    assert isinstance(failure, ModelFailure)
    assert failure.detail.isprintable()


def test_a_terminal_escape_in_an_exception_does_not_reach_a_terminal() -> None:
    told = {"where": "Handler.predict()", "type": "ValueError", "message": "\x1b[31mnul \x00 half \ud800 \u202e"}
    said = failures.told(told, Limits()).detail
    assert said == r"Handler.predict() raised ValueError: \x1b[31mnul \x00 half \ud800 \u202e"


def test_what_was_read_stays_readable_when_the_transaction_fails_later(database: Database) -> None:
    """Boards are kept over requests: one that ended in an error must not spoil what others have kept of it."""
    with database.begin() as db:
        db.add(User(name="ada", role="reader"))
    kept: list[User] = []

    def read_and_fail() -> None:
        with database.begin() as db:
            kept.extend(db.scalars(select(User)))
            db.execute(text("UPDATE users SET name = 'eve'"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read_and_fail()
    assert kept[0].name == "ada"
    with database.begin() as db:
        assert db.scalars(select(User.name)).all() == ["ada"]

"""Definitions of tasks that are small in a file and large in memory."""

import pytest

from dynaboard.database import Database
from dynaboard.errors import Invalid
from dynaboard.identity import Caller, Role
from dynaboard.nlp_tasks import SHIPPED
from dynaboard.task_bundle import DatasetSpec, read_bundle
from services.scoring.definitions import apply

HEAD = """
name: x
title: X
inputs: [{name: story, type: text}]
answer: {kind: text}
performance_metric: squad_em
example: {story: a}
datasets:
- name: d
  mapping:
"""
LAUGHS = ["    a: &a [x, x, x, x, x, x, x, x, x]"] + [
    f"    {one}: &{one} [{', '.join([f'*{before}'] * 9)}]" for before, one in zip("abcdefgh", "bcdefghi", strict=True)
]


@pytest.mark.parametrize("mapping", ["\n".join(LAUGHS), "    &m {a: *m}"])
def test_aliases_are_not_taken(mapping: str) -> None:
    with pytest.raises(Invalid, match="aliases"):
        read_bundle(HEAD + mapping)


def test_a_definition_over_http_is_no_longer_than_one_in_a_file(database: Database) -> None:
    large = DatasetSpec.model_validate({"name": "d", "mapping": {"inputs": "x" * 300_000}})
    wanted = SHIPPED["sentiment"].model_copy(update={"datasets": (large,)})
    with database.begin() as db, pytest.raises(Invalid, match="256 KiB"):
        apply(db, "sentiment", wanted, Caller("olga", Role.TASK_OWNER), dry_run=True)

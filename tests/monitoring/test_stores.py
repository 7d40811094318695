"""Errors of the object store are counted by operation; that something is not there is none."""

from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from prometheus_client import REGISTRY

from dynaboard.errors import NotFound
from dynaboard.settings import Settings
from dynaboard.storage import Storage, make_storage


def errors(operation: str) -> float:
    return REGISTRY.get_sample_value("dynaboard_storage_errors_total", {"operation": operation}) or 0


def test_a_store_that_does_not_answer_is_counted(platform: dict[str, Any]) -> None:
    before = errors("GetObject")
    nowhere = make_storage(Settings(**platform | {"s3_url": "http://127.0.0.1:9"}))
    with pytest.raises(BotoCoreError):
        nowhere.get("a/key")
    nowhere.client.close()
    assert errors("GetObject") > before


def test_a_store_that_refuses_the_key_is_counted(platform: dict[str, Any]) -> None:
    before = errors("PutObject")
    stranger = make_storage(Settings(**platform | {"s3_secret_key": "another"}))
    with pytest.raises(ClientError):
        stranger.put("a/key", b"")
    stranger.client.close()
    assert errors("PutObject") == before + 1


def test_a_missing_object_is_no_error(storage: Storage) -> None:
    before = errors("GetObject")
    with pytest.raises(NotFound):
        storage.get("nothing/here")
    assert errors("GetObject") == before

"""Storage over a real S3 server."""

from pathlib import Path

import pytest

from dynaboard.errors import NotFound
from dynaboard.storage import Storage


def test_what_was_put_comes_back(storage: Storage) -> None:
    storage.put("a/b", b"hello")
    assert storage.get("a/b") == b"hello"
    assert storage.size("a/b") == 5
    assert storage.keys("a/") == ["a/b"]


def test_a_large_file_goes_up_and_down_in_pieces(storage: Storage, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(bytes(range(256)) * 100_000)
    storage.put_file("large", source)
    storage.fetch("large", target)
    assert target.read_bytes() == source.read_bytes()


def test_a_missing_object_is_not_found(storage: Storage) -> None:
    with pytest.raises(NotFound):
        storage.get("nothing")
    assert not storage.exists("nothing")


def test_deleting_twice_is_silent(storage: Storage) -> None:
    storage.put("x", b"1")
    storage.delete("x")
    storage.delete("x")
    assert not storage.exists("x")

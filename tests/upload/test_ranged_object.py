"""A stored object read like a file."""

import io
import random

import pytest

from dynaboard.errors import NotFound
from dynaboard.storage import Storage
from services.upload.ranged_object import open_object

BODY = random.Random(1).randbytes(300_000)


def test_it_reads_and_seeks_like_the_file_it_is(storage: Storage) -> None:
    storage.put("object", BODY)
    moves = random.Random(2)

    with open_object(storage, "object") as remote, io.BytesIO(BODY) as local:
        for _ in range(50):
            place, count = moves.randrange(len(BODY) + 100), moves.randrange(100_000)
            assert remote.seek(place) == local.seek(place)
            assert remote.read(count) == local.read(count)
            assert remote.tell() == local.tell()
        assert remote.seek(-10, io.SEEK_END) == len(BODY) - 10
        assert remote.read() == BODY[-10:]


def test_an_object_that_is_not_there_is_not_found(storage: Storage) -> None:
    with pytest.raises(NotFound):
        open_object(storage, "nothing")

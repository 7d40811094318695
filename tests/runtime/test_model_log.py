"""A model's log: a pipe on its side, a short file on ours."""

from pathlib import Path

import pytest

from dynaboard.runtime.model_log import KEPT, LONGEST, ModelLog


@pytest.fixture
def log(tmp_path: Path) -> ModelLog:
    return ModelLog(tmp_path / "model.log", tmp_path / "pipe")


def test_what_is_printed_is_in_the_tail_at_once(log: ModelLog, tmp_path: Path) -> None:
    with (tmp_path / "pipe").open("w") as printing:
        print("first", file=printing, flush=True)
        assert log.tail(100) == "first\n"
        print("second", file=printing, flush=True)
        assert log.tail(7) == "second\n"
    log.close()


def test_a_log_stays_short_and_keeps_its_end(log: ModelLog, tmp_path: Path) -> None:
    with (tmp_path / "pipe").open("wb", buffering=0) as printing:
        for number in range(40):
            printing.write(b"%05d " % number + b"x" * 50_000 + b"\n")
            log.drain()
    log.close()
    text = log.path.read_bytes()
    assert KEPT <= len(text) <= LONGEST
    assert text.startswith(b"[earlier lines were cut]\n")
    assert b"00039 " in text
    assert b"00000 " not in text


def test_a_closed_log_can_still_be_read(log: ModelLog, tmp_path: Path) -> None:
    with (tmp_path / "pipe").open("w") as printing:
        print("last words", file=printing, flush=True)
    log.close()
    log.close()
    assert log.tail(100) == "last words\n"

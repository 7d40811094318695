"""The init container: an archive comes in by a push, or the pod ends and says whose fault it was."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.runtime.pod import options
from tests.runtime.pod.conftest import MakePod
from tests.runtime.pod.pods import TOKEN


def digest_of(packed: Path) -> str:
    return hashlib.sha256(packed.read_bytes()).hexdigest()


def blocks(packed: Path, size: int = 100) -> Iterator[bytes]:
    with packed.open("rb") as file:
        while block := file.read(size):
            yield block


def test_a_pushed_archive_is_unpacked_and_the_container_ends(make_pod: MakePod, packed: Path) -> None:
    pod = make_pod().receive(digest_of(packed))
    assert pod.remote.push(blocks(packed), 20).name == "tried"
    assert pod.exit_status() == options.ENDED
    assert sorted(path.name for path in (pod.folder / "model").iterdir()) == ["dynaboard.yaml", "handler.py"]


def test_without_its_token_nothing_is_taken_and_the_container_waits_on(make_pod: MakePod, packed: Path) -> None:
    pod = make_pod().receive(digest_of(packed))
    assert [pod.call("PUT", "/archive", token) for token in (None, "", "wrong", TOKEN + "x")] == [401] * 4
    assert pod.remote.push(blocks(packed), 20)
    assert pod.exit_status() == options.ENDED


def test_other_bytes_than_were_submitted_are_our_failure(make_pod: MakePod, packed: Path) -> None:
    pod = make_pod().receive("0" * 64)
    with pytest.raises(PlatformFailure, match="holds other bytes than were submitted"):
        pod.remote.push(blocks(packed), 20)
    assert pod.exit_status() == options.PLATFORM_FAILED
    assert json.loads(pod.termination.read_text())["kind"] == "platform"
    assert not list((pod.folder / "model").iterdir())


def test_what_is_no_archive_is_the_authors_failure(make_pod: MakePod, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no archive")
    pod = make_pod().receive(digest_of(tmp_path / "text"))
    with pytest.raises(ModelFailure) as failure:
        pod.remote.push(blocks(tmp_path / "text"), 20)
    assert pod.exit_status() == options.MODEL_FAILED
    assert json.loads(pod.termination.read_text()) == {"kind": "model", "detail": failure.value.detail}


def test_an_archive_that_breaks_off_is_our_failure_and_the_source_is_heard(make_pod: MakePod, packed: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield packed.read_bytes()[:50]
        raise PlatformFailure("Object storage is gone.")

    pod = make_pod().receive(digest_of(packed))
    with pytest.raises(PlatformFailure, match=r"Object storage is gone\."):
        pod.remote.push(broken(), 20)
    assert pod.exit_status() == options.PLATFORM_FAILED


def test_a_pod_without_a_token_or_with_unknown_limits_does_not_start() -> None:
    with pytest.raises(ValueError, match="DYNABOARD_POD_TOKEN is missing"):
        options.read({})
    with pytest.raises(ValueError, match="must be the limits"):
        options.read({options.TOKEN: "t", options.LIMITS: '{"wings": 2}'})


def test_the_environment_that_is_built_is_the_one_that_is_read() -> None:
    pod = options.Options("t", limits=options.Limits(memory_bytes=5, threads=2))
    assert options.read(options.serving("t", pod.limits)) == pod
    assert options.read(options.receiving("t", "d")) == options.Options("t", "d")

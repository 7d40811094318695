"""A bundle's file: the same members give the same bytes, and not one byte of it may change."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.bundle.container import Member, check, members, write
from dynaboard.bundle.signature import SigningKey, new_signing_key
from dynaboard.errors import Invalid

KEY = SigningKey(new_signing_key())
FILES = {"manifest.json": b'{"a": 1}', "predictions/x.parquet": bytes(range(256)) * 10, "empty": b""}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "bundle.tar"
    write(path, [Member(name, content) for name, content in FILES.items()], KEY)
    return path


def test_a_bundle_gives_back_what_went_in_and_says_who_signed_it(bundle: Path) -> None:
    assert {name: stream.read() for name, stream in members(bundle)} == FILES
    assert check(bundle) == KEY.public


def test_the_same_members_give_the_same_bytes(bundle: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.tar"
    write(again, [Member(name, content) for name, content in FILES.items()], KEY)
    assert again.read_bytes() == bundle.read_bytes()


def test_every_single_changed_byte_is_found(bundle: Path, tmp_path: Path) -> None:
    raw = bundle.read_bytes()
    changed = tmp_path / "changed.tar"
    draw = Random(7)
    for place in range(0, len(raw), 3):
        broken = bytearray(raw)
        broken[place] ^= 1 << draw.randrange(8)
        changed.write_bytes(broken)
        with pytest.raises(Invalid):
            check(changed)


@pytest.mark.parametrize("cut", [1, 512, 1024, 2000])
def test_a_bundle_cut_short_is_found(bundle: Path, cut: int) -> None:
    bundle.write_bytes(bundle.read_bytes()[:-cut])
    with pytest.raises(Invalid):
        check(bundle)


def test_bytes_behind_the_end_are_found(bundle: Path) -> None:
    bundle.write_bytes(bundle.read_bytes() + bytes(512))
    with pytest.raises(Invalid):
        check(bundle)


def test_a_bundle_signed_again_by_somebody_else_bears_their_key(bundle: Path, tmp_path: Path) -> None:
    stranger = SigningKey(new_signing_key())
    forged = tmp_path / "forged.tar"
    write(forged, [Member(name, stream.read()) for name, stream in members(bundle)], stranger)
    assert check(forged) == stranger.public != KEY.public


@given(st.binary(max_size=3000))
def test_what_is_no_bundle_is_refused_in_a_sentence(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.mktemp("bundle") / "bundle.tar"
    path.write_bytes(raw)
    with pytest.raises(Invalid, match=r"bundle"):
        check(path)


@pytest.mark.parametrize("pem", ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "secret"])
def test_a_signing_key_that_is_none_is_told(pem: str) -> None:
    with pytest.raises(Invalid, match="openssl genpkey"):
        SigningKey(pem)

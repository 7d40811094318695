"""Bundles from strangers, signed by themselves: what would fill a disk or a memory, or speak to a terminal."""

import io
import tarfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from typer.testing import CliRunner

from dynaboard.bundle.container import _digest, _tail, check, members
from dynaboard.bundle.signature import SigningKey, new_signing_key
from dynaboard.cli import app  # the commands of bundles are its plugs, and it must be there first
from dynaboard.errors import Invalid, PlatformFailure
from dynaboard.runtime.sandbox import sandbox_kind
from services.scoring.bundles.board import _array
from services.scoring.bundles.command import _remark, _tell

KEY = SigningKey(new_signing_key())
TERABYTE = 1024**4


def signed(path: Path, raw: bytes) -> Path:
    """Any bytes, with a signature that holds."""
    path.write_bytes(raw)
    digest = _digest(path, len(raw))
    with path.open("ab") as file:
        file.write(_tail(KEY.public.text, KEY.sign(digest)))
    return path


def sparse(size: int) -> bytes:
    """The header of a file that is one hole, as GNU tar writes it."""
    header = tarfile.TarInfo("board.json")
    header.type = tarfile.GNUTYPE_SPARSE
    raw = bytearray(header.tobuf(tarfile.GNU_FORMAT))
    hole, nothing = b"\x80" + size.to_bytes(11, "big"), bytes(12)
    raw[386:410], raw[482:495] = hole + nothing, b"\0" + hole
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw)
    return bytes(raw)


def of_type(kind: bytes) -> bytes:
    header = tarfile.TarInfo("board.json")
    header.type, header.linkname = kind, "/etc/passwd"
    return header.tobuf(tarfile.USTAR_FORMAT)


def with_extended_header(**values: str) -> bytes:
    header = tarfile.TarInfo("board.json")
    header.pax_headers = values
    return header.tobuf(tarfile.PAX_FORMAT)


NOT_OURS = {
    "a hole of a terabyte": sparse(TERABYTE),
    "a hole in an extended header": with_extended_header(**{"GNU.sparse.map": f"{TERABYTE},0"}),
    "a size in an extended header": with_extended_header(size="-512"),
    "a symbolic link": of_type(tarfile.SYMTYPE),
    "a hard link": of_type(tarfile.LNKTYPE),
    "a folder": of_type(tarfile.DIRTYPE),
    "a device": of_type(tarfile.CHRTYPE),
    "nothing": b"",
    "no tar": b"x" * 512,
}


@pytest.mark.parametrize("raw", NOT_OURS.values(), ids=NOT_OURS.keys())
def test_only_plain_files_are_members(raw: bytes, tmp_path: Path) -> None:
    bundle = signed(tmp_path / "bundle.tar", raw)
    if raw:
        with pytest.raises(Invalid, match="not a Dynaboard bundle"):
            check(bundle)
        with pytest.raises(Invalid, match="not a Dynaboard bundle"):
            list(members(bundle))
    else:
        assert list(members(bundle)) == []


def claiming(shape: tuple[int, ...], kind: str = "<f4") -> ZipFile:
    """An archive of some hundred bytes with an array of this shape, or so its header says."""
    file, header = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"shape": shape, "fortran_order": False, "descr": kind})
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("deviations.npy", header.getvalue())
    return ZipFile(file)


@pytest.mark.parametrize(
    ("shape", "kind"), [((5, 1, 2, 10**12), "<f4"), ((5, 1, 9, 1), "<f4"), ((5, 1, 2, 1), "V2000000000")]
)
def test_an_array_is_not_read_before_its_size_is_known(shape: tuple[int, ...], kind: str) -> None:
    with pytest.raises(ValueError, match="has the shape"):
        _array(claiming(shape, kind), "deviations", (5, 1, 2))


def test_what_a_bundle_says_does_not_speak_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hiding = "x: 1 of 2 answers are the same\r\x1b[2K500 numbers computed again"
    _tell(hiding)
    _remark(hiding)
    told = capsys.readouterr()
    for line in (told.out, told.err):
        assert line.rstrip("\n").isprintable()


def test_a_strangers_model_is_not_run_again_without_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / "bundle.tar", tmp_path / "model.zip"]
    for file in files:
        file.write_bytes(b"x")
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox_kind.cache_clear()
    try:
        asked = ["rerun", str(files[0]), "--model", str(files[1])]
        refused, trusted = (CliRunner().invoke(app, [*asked, *more]).exception for more in ([], ["--trusted"]))
    finally:
        sandbox_kind.cache_clear()
    assert isinstance(refused, PlatformFailure)
    assert "install bubblewrap" in refused.detail
    assert isinstance(trusted, Invalid)  # went on to look at the files

"""Archives: packed the same everywhere, refused in one sentence when hostile, unpacked without trust."""

import io
import os
import stat
import string
import struct
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynaboard import archive
from dynaboard.archive import Contents
from dynaboard.errors import Invalid
from dynaboard.zip_directory import Limits

MANIFEST = b"name: tiny\ntask: nli\nhandler: handler.py:Handler\ncard: {summary: small, licence: MIT}\n"
PREDICTION_MANIFEST = b"name: tiny\ntask: nli\ncard: {summary: small, licence: MIT}\n"
HANDLER = b"class Handler:\n    def load(self, model_dir): ...\n    def predict(self, examples): ...\n"
GOOD = {"dynaboard.yaml": MANIFEST, "handler.py": HANDLER}
MAR_JSON = b'{"runtime": "python", "model": {"modelName": "m", "handler": "handler.py", "modelVersion": "1.0"}}'
PACK = "make the archive with `dynaboard package`"


def zipped(files: dict[str, bytes], change: Callable[[zipfile.ZipInfo], None] | None = None) -> io.BytesIO:
    """A zip of `files`; `change` may alter the last entry before it is written."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        for name, body in files.items():
            entry = zipfile.ZipInfo(name)
            if change and name == list(files)[-1]:
                change(entry)
            target.writestr(entry, body)
    return file


def folder_of(files: dict[str, bytes], folder: Path) -> Path:
    """The files, written below `folder`."""
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder


def refused(file: io.BytesIO, limits: Limits | None = None) -> str:
    """The sentence with which an archive is refused."""
    with pytest.raises(Invalid) as caught:
        archive.check(file, limits)
    return caught.value.detail


def patched(file: io.BytesIO, old: bytes, new: bytes) -> io.BytesIO:
    """The file with every occurrence of `old` replaced by the equally long `new`."""
    assert len(old) == len(new)
    assert old in file.getvalue()
    return io.BytesIO(file.getvalue().replace(old, new))


# --- what is accepted ---------------------------------------------------------------------------------------------


def test_a_packed_folder_is_accepted_and_described(tmp_path: Path) -> None:
    folder = folder_of(GOOD | {"weights/model.bin": b"\x00" * 1000}, tmp_path / "model")
    archive.build(folder, tmp_path / "model.zip")

    with (tmp_path / "model.zip").open("rb") as file:
        contents = archive.check(file)

    assert contents.kind == "model"
    assert contents.manifest.name == "tiny"
    assert contents.entries == {"dynaboard.yaml": len(MANIFEST), "handler.py": len(HANDLER), "weights/model.bin": 1000}
    assert contents.size == len(MANIFEST) + len(HANDLER) + 1000


def test_the_same_files_give_the_same_bytes_whenever_they_were_written(tmp_path: Path) -> None:
    first = folder_of(GOOD, tmp_path / "first")
    second = folder_of(dict(reversed(GOOD.items())), tmp_path / "second")
    os.utime(second / "handler.py", (1_000_000_000, 1_000_000_000))
    (second / "handler.py").chmod(0o755)

    digests = [archive.build(folder, tmp_path / f"{folder.name}.zip") for folder in (first, second)]

    assert digests[0] == digests[1]
    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()


def test_caches_and_hidden_files_are_left_out(tmp_path: Path) -> None:
    junk = {".git/config": b"x", ".env": b"SECRET=1", "__pycache__/handler.pyc": b"x", "lib/old.pyc": b"x"}
    folder = folder_of(GOOD | junk, tmp_path)

    archive.build(folder, folder / "model.zip")
    archive.build(folder, folder / "model.zip")

    assert zipfile.ZipFile(folder / "model.zip").namelist() == ["dynaboard.yaml", "handler.py"]


def test_a_link_in_the_folder_is_not_packed(tmp_path: Path) -> None:
    folder = folder_of(GOOD, tmp_path / "model")
    (folder / "weights.bin").symlink_to("/etc/hostname")

    with pytest.raises(Invalid, match=r"weights\.bin is a link; put the file itself there\."):
        archive.build(folder, tmp_path / "model.zip")

    assert list(tmp_path.glob("*.zip*")) == []
    assert list(tmp_path.glob(".*")) == []


def test_a_special_file_in_the_folder_is_not_packed(tmp_path: Path) -> None:
    folder = folder_of(GOOD, tmp_path / "model")
    os.mkfifo(folder / "pipe")

    with pytest.raises(Invalid, match="pipe is neither a file nor a folder; remove it"):
        archive.build(folder, tmp_path / "model.zip")


def test_a_file_name_other_systems_cannot_hold_is_not_packed(tmp_path: Path) -> None:
    folder = folder_of(GOOD | {"a:b.bin": b""}, tmp_path / "model")

    with pytest.raises(Invalid, match=r"'a:b\.bin' has a backslash or colon in its name"):
        archive.build(folder, tmp_path / "model.zip")


def test_packing_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"nowhere is not a folder\."):
        archive.build(tmp_path / "nowhere", tmp_path / "model.zip")


def test_a_deflated_archive_with_folder_entries_is_accepted() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        target.mkdir("weights")
        for name, body in (GOOD | {"weights/model.bin": b"\x07" * 5000}).items():
            target.writestr(name, body)

    assert archive.check(file).entries["weights/model.bin"] == 5000


def test_a_ready_made_mar_is_the_same_folder_without_torchserves_files(tmp_path: Path) -> None:
    file = zipped(GOOD | {"MAR-INF/MANIFEST.json": MAR_JSON, "model-config.yaml": b"minWorkers: 99"})

    contents = archive.extract(file, tmp_path)

    assert contents.kind == "mar"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dynaboard.yaml", "handler.py"]


def test_predictions_without_a_handler_are_a_prediction_only_submission() -> None:
    file = zipped({"dynaboard.yaml": PREDICTION_MANIFEST, "predictions/snli-test.jsonl": b"{}\n"})

    contents = archive.check(file)

    assert (contents.kind, contents.datasets) == ("predictions", ("snli-test",))


@pytest.mark.parametrize(
    "source",
    [b"from lib import Handler\n", b"from lib import *\n", b"class Handler(Base):\n    ...\n"],
    ids=["imported", "star", "inherits"],
)
def test_a_handler_may_come_from_another_file(source: bytes) -> None:
    assert archive.check(zipped(GOOD | {"handler.py": source})).kind == "model"


# --- attacks on names ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../evil.py", f"leads out of the archive with '..'; {PACK}."),
        ("a/../../evil.py", f"leads out of the archive with '..'; {PACK}."),
        ("/etc/cron.d/evil", f"is an absolute path; {PACK}."),
        ("C:/evil.py", "has a backslash or colon in its name; use plain names and forward slashes."),
        ("a\\..\\evil.py", "has a backslash or colon in its name; use plain names and forward slashes."),
        ("a//b.py", f"is not a plain path; {PACK}."),
        ("./b.py", f"is not a plain path; {PACK}."),
        ("a\u202egpj.py", "has invisible characters in its name; rename the file."),
        ("a\nb.py", "has invisible characters in its name; rename the file."),
        ("a/" * 16 + "b", "has too long a name: at most 240 bytes and 16 folders; rename the file."),
    ],
)
def test_a_name_that_leaves_the_folder_or_hides_something_is_refused(name: str, problem: str) -> None:
    assert refused(zipped(GOOD | {name: b"x"})) == f"The archive's entry {name[:80]!r} {problem}"


def test_a_name_of_more_than_240_bytes_is_refused() -> None:
    sentence = refused(zipped(GOOD | {"ä" * 121: b""}))

    assert sentence.endswith("has too long a name: at most 240 bytes and 16 folders; rename the file.")


def test_a_nul_in_a_name_is_refused_not_cut() -> None:
    file = patched(zipped(GOOD | {"weights.binX.py": b""}), b"weights.binX.py", b"weights.bin\x00.py")

    assert refused(file) == (
        "The archive's entry 'weights.bin\\x00.py' has invisible characters in its name; rename the file."
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [("a.bin", "A.bin"), ("\u00e9.bin", "e\u0301.bin"), ("a", "a/b"), ("a/b", "A"), ("straße", "STRASSE")],
    ids=["capitals", "accents", "file then folder", "folder then file", "sharp s"],
)
def test_two_names_for_one_file_are_refused(first: str, second: str) -> None:
    sentence = refused(zipped(GOOD | {first: b"1", second: b"2"}))

    assert sentence == f"The archive holds {second!r} twice, give or take capitals; rename one."


def test_the_same_name_twice_is_refused() -> None:
    file = patched(zipped(GOOD | {"handler.pz": b"evil"}), b"handler.pz", b"handler.py")

    assert refused(file) == "The archive holds 'handler.py' twice, give or take capitals; rename one."


# --- attacks on kinds ---------------------------------------------------------------------------------------------


def test_a_link_is_refused() -> None:
    def link(entry: zipfile.ZipInfo) -> None:
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16

    assert refused(zipped(GOOD | {"w": b"/etc/passwd"}, link)) == (
        "The archive's entry 'w' is a link; pack the file itself."
    )


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK, stat.S_IFDIR])
def test_a_special_file_is_refused(kind: int) -> None:
    def special(entry: zipfile.ZipInfo) -> None:
        entry.external_attr = (kind | 0o666) << 16

    assert refused(zipped(GOOD | {"w": b""}, special)) == (
        f"The archive's entry 'w' is neither a file nor a folder; {PACK}."
    )


def test_setuid_and_executable_bits_are_dropped(tmp_path: Path) -> None:
    def setuid(entry: zipfile.ZipInfo) -> None:
        entry.external_attr = (stat.S_IFREG | 0o6777) << 16

    archive.extract(zipped(GOOD | {"run.sh": b"#!/bin/sh"}, setuid), tmp_path)

    assert stat.S_IMODE((tmp_path / "run.sh").stat().st_mode) & ~0o644 == 0


def test_an_encrypted_entry_is_refused() -> None:
    file = zipped(GOOD)
    data = bytearray(file.getvalue())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1

    assert refused(io.BytesIO(data)) == "The archive's entry 'handler.py' is encrypted; pack it without a password."


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compression_is_refused(method: int) -> None:
    def compressed(entry: zipfile.ZipInfo) -> None:
        entry.compress_type = method

    assert refused(zipped(GOOD | {"w": b"x" * 100}, compressed)) == (
        f"The archive's entry 'w' is compressed in an unusual way; {PACK}."
    )


# --- bombs --------------------------------------------------------------------------------------------------------


def test_an_archive_that_unpacks_to_too_much_is_refused() -> None:
    sentence = refused(zipped(GOOD | {"w": b"x" * 1000}), Limits(unpacked=1000))

    assert sentence == "The archive unpacks to 0.0 GiB, at most 0.0 GiB are allowed."


def test_an_archive_that_unpacks_to_a_hundred_times_its_size_is_refused() -> None:
    def deflated(entry: zipfile.ZipInfo) -> None:
        entry.compress_type = zipfile.ZIP_DEFLATED

    sentence = refused(zipped(GOOD | {"zeros": bytes(65 * 1024**2)}, deflated))

    assert sentence == f"The archive unpacks to more than 100 times its size; {PACK}."


def test_a_lie_about_an_entrys_size_does_not_get_more_bytes_written(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, body in (GOOD | {"w": bytes(10**6)}).items():
            target.writestr(name, body)
    lied = patched(file, struct.pack("<L", 10**6), struct.pack("<L", 10))

    with pytest.raises(Invalid, match=f"The archive's entry 'w' is damaged; {PACK} and send it again"):
        archive.extract(lied, tmp_path)

    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1000


def test_too_many_entries_are_refused() -> None:
    files = GOOD | {f"f{number}": b"" for number in range(20)}

    assert refused(zipped(files), Limits(entries=21)) == (
        "The archive's directory is too large: at most 21 entries are allowed; pack fewer files."
    )


def test_a_count_that_hides_entries_does_not_help() -> None:
    file = zipped(GOOD | {f"f{number}": b"" for number in range(20)})
    data = file.getvalue()
    end = data.rindex(b"PK\x05\x06")
    lied = data[: end + 8] + struct.pack("<2H", 1, 1) + data[end + 12 :]

    assert refused(io.BytesIO(lied), Limits(entries=21)) == (
        "The archive holds 22 entries, at most 21 are allowed; pack fewer files."
    )


def test_a_huge_directory_is_refused_before_it_costs_memory() -> None:
    directory = bytes(64 * 1024**2)
    file = io.BytesIO(directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), 0, 0))
    tracemalloc.start()

    sentence = refused(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert sentence == "The archive's directory is too large: at most 10000 entries are allowed; pack fewer files."
    assert peak < 1024**2


def test_a_huge_directory_behind_a_zip64_record_is_refused_too() -> None:
    directory = bytes(64 * 1024**2)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(directory), 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(directory), 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 0, 0, 0)

    assert refused(io.BytesIO(directory + record + locator + end)) == (
        "The archive's directory is too large: at most 10000 entries are allowed; pack fewer files."
    )


def test_overlapping_entries_are_refused() -> None:
    file = zipped(GOOD | {"handler.pz": HANDLER})
    data = file.getvalue()
    first = data.index(b"PK\x03\x04", 1)
    second = data.index(b"PK\x03\x04", first + 1)
    directory = data.rindex(b"PK\x01\x02")
    lied = data[: directory + 42] + struct.pack("<L", second - 1) + data[directory + 46 :]

    assert refused(io.BytesIO(lied)) == f"The archive's entry 'handler.pz' overlaps another; {PACK}."


def test_an_entry_that_runs_into_the_directory_is_refused() -> None:
    data = bytearray(zipped(GOOD).getvalue())
    directory = data.rindex(b"PK\x01\x02")
    for offset in (20, 24):
        data[directory + offset : directory + offset + 4] = struct.pack("<L", len(HANDLER) + 50)

    assert refused(io.BytesIO(data)) == f"The archive's last entry runs into its directory; {PACK}."


def test_an_entry_that_points_nowhere_is_refused() -> None:
    data = bytearray(zipped(GOOD).getvalue())
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 42 : directory + 46] = struct.pack("<L", 10**9)

    assert refused(io.BytesIO(data)) == f"The archive's entry 'handler.py' is not where it should be; {PACK}."


def test_a_stored_entry_with_two_sizes_is_refused() -> None:
    data = bytearray(zipped(GOOD).getvalue())
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<L", 1)

    assert refused(io.BytesIO(data)) == f"The archive's entry 'handler.py' contradicts itself about its size; {PACK}."


@pytest.mark.parametrize("junk", [b"not a zip at all", b"", b"PK\x05\x06"])
def test_what_is_no_zip_is_refused(junk: bytes) -> None:
    assert refused(io.BytesIO(junk)) == (f"This is not a zip archive, or something was added after its end; {PACK}.")


def test_bytes_after_the_archive_are_refused() -> None:
    assert refused(io.BytesIO(zipped(GOOD).getvalue() + b"#!")).startswith("This is not a zip archive, or something")


def test_bytes_before_the_archive_are_refused() -> None:
    assert refused(io.BytesIO(b"#!/bin/sh\n" + zipped(GOOD).getvalue())) == (
        f"The archive is split, or has something before or after it; {PACK}."
    )


def test_a_damaged_directory_is_refused() -> None:
    file = patched(zipped(GOOD), b"PK\x01\x02", b"PK\x01\x03")

    assert refused(file) == f"The archive's directory is damaged; {PACK} and send it again."


def test_a_damaged_entry_is_told_when_unpacking(tmp_path: Path) -> None:
    file = patched(zipped(GOOD | {"weights.bin": b"intact"}), b"intact", b"broken")

    with pytest.raises(Invalid, match=r"The archive's entry 'weights\.bin' is damaged"):
        archive.extract(file, tmp_path)


# --- what is missing ----------------------------------------------------------------------------------------------

TORCHSERVE = {"MAR-INF/MANIFEST.json": MAR_JSON}


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {"handler.py": HANDLER},
            f"The archive has no dynaboard.yaml; start from `dynaboard init` and {PACK}.",
        ),
        (
            {f"model/{name}": body for name, body in GOOD.items()},
            "dynaboard.yaml must lie at the top of the archive, not at 'model/dynaboard.yaml'; "
            "pack the folder's contents.",
        ),
        (
            GOOD | {"dynaboard.yaml": b"x" * 70_000},
            "dynaboard.yaml is larger than 64 KiB; shorten it.",
        ),
        (
            GOOD | {"dynaboard.yaml": MANIFEST.replace(b"card: {summary: small, licence: MIT}", b"")},
            "dynaboard.yaml: `card` is missing; add it.",
        ),
        (
            GOOD | {"dynaboard.yaml": MANIFEST.replace(b", licence: MIT", b"")},
            "dynaboard.yaml: `card.licence` is missing; add it.",
        ),
        (
            GOOD | {"dynaboard.yaml": MANIFEST.replace(b"nli", b"Chess")},
            "dynaboard.yaml: `task` 'Chess' is no name of a task; write for example sentiment.",
        ),
        (
            {"dynaboard.yaml": MANIFEST},
            "dynaboard.yaml names the handler 'handler.py', which is not in the archive; add the file.",
        ),
        (
            GOOD | {"handler.py": b"class Other: ...\n"},
            "handler.py has no class 'Handler'; write it, or correct `handler` in dynaboard.yaml.",
        ),
        (
            GOOD | {"handler.py": b"class Handler:\n    def load(self, model_dir): ...\n"},
            "handler.py: class 'Handler' has no method predict(); write it as the contract says.",
        ),
        (
            GOOD | {"handler.py": b"class Handler:\n  def load(self:\n"},
            "handler.py is not valid Python (line 2): '(' was never closed.",
        ),
        (
            GOOD | {"handler.py": b"x = " + b"-" * 10_000 + b"1"},
            "handler.py is not valid Python: it cannot be parsed.",
        ),
        (GOOD | {"handler.py": b"#" * 200_000}, "handler.py is larger than 128 KiB; shorten it."),
        (
            GOOD | {"MAR-INF/other": b""},
            "'MAR-INF/other' belongs to a TorchServe archive, which needs MAR-INF/MANIFEST.json; remove it.",
        ),
        (
            GOOD | {"mar-inf/MANIFEST.json": MAR_JSON},
            "'mar-inf/MANIFEST.json' belongs to a TorchServe archive, which needs MAR-INF/MANIFEST.json; remove it.",
        ),
        (GOOD | TORCHSERVE | {"MAR-INF/x": b""}, "MAR-INF may hold MANIFEST.json only; remove the other files."),
        (
            GOOD | {"MAR-INF/MANIFEST.json": b"[]"},
            "MAR-INF/MANIFEST.json is not TorchServe's: it must be JSON with model.handler.",
        ),
        (
            GOOD | {"MAR-INF/MANIFEST.json": MAR_JSON.replace(b"handler.py", b"absent.py")},
            "MAR-INF/MANIFEST.json names the handler 'absent.py', which is not in the archive.",
        ),
        (
            GOOD | TORCHSERVE | {"dynaboard.yaml": PREDICTION_MANIFEST},
            "dynaboard.yaml: `handler` is missing; a .mar needs it too, for example handler.py:Handler.",
        ),
        (
            GOOD | {"model-config.yaml": b"minWorkers: 9"},
            "model-config.yaml is written by the platform; remove it and set batch_size in dynaboard.yaml.",
        ),
        (
            {"dynaboard.yaml": PREDICTION_MANIFEST},
            "dynaboard.yaml names no handler and there is no predictions/<dataset>.jsonl; add one or the other.",
        ),
        (
            {"dynaboard.yaml": PREDICTION_MANIFEST, "predictions/a.jsonl": b"", "evil.py": b""},
            "'evil.py' has no place in a prediction-only submission: "
            "dynaboard.yaml and predictions/<dataset>.jsonl only.",
        ),
    ],
)
def test_each_missing_or_misplaced_part_is_named(files: dict[str, bytes], sentence: str) -> None:
    assert refused(zipped(files)) == sentence


def test_checking_never_runs_the_handler(tmp_path: Path) -> None:
    source = HANDLER + f"open({str(tmp_path / 'ran')!r}, 'w')\n".encode()

    archive.check(zipped(GOOD | {"handler.py": source}))

    assert not (tmp_path / "ran").exists()


def test_unpacking_never_writes_through_a_link_that_is_already_there(tmp_path: Path) -> None:
    (tmp_path / "handler.py").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FileExistsError):
        archive.extract(zipped(GOOD), tmp_path)

    assert not (tmp_path / "elsewhere").exists()


# --- properties ---------------------------------------------------------------------------------------------------

PARTS = st.text(string.ascii_lowercase + string.digits + "äß_-é漢", min_size=1, max_size=12)
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
FILES = st.dictionaries(PATHS, st.binary(max_size=200), max_size=8)


@given(FILES)
@settings(max_examples=60, deadline=None)
def test_whatever_can_be_packed_comes_out_as_it_went_in(files: dict[str, bytes]) -> None:
    wanted = {
        name: body
        for name, body in files.items()
        if not any(f"{name}/" in f"{other}/" for other in files if other != name)
    }
    with tempfile.TemporaryDirectory() as root:
        source = folder_of(wanted | GOOD, Path(root) / "in")
        archive.build(source, Path(root) / "model.zip")
        with (Path(root) / "model.zip").open("rb") as file:
            try:
                contents = archive.extract(file, Path(root) / "out")
            except Invalid as error:
                assert "twice" in error.detail  # noqa: PT017 - é may come in two spellings
                return

        assert contents.entries.keys() == (wanted | GOOD).keys()
        assert all((Path(root) / "out" / name).read_bytes() == body for name, body in (wanted | GOOD).items())


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_damage_is_refused_or_harmless(data: st.DataObject) -> None:
    good = zipped(GOOD | {"weights/w.bin": b"weights"}).getvalue()
    place = data.draw(st.integers(0, len(good) - 1))
    damage = data.draw(st.binary(min_size=1, max_size=8))
    file = io.BytesIO(good[:place] + damage + good[place + len(damage) :])

    with tempfile.TemporaryDirectory() as root:
        try:
            result: Contents | None = archive.extract(file, Path(root) / "out")
        except Invalid:
            result = None
        assert sorted(path.name for path in Path(root).iterdir()) in ([], ["out"])
        assert result is None or result.size < 10_000

"""What a model may leave in the pod's folders."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from dynaboard.runtime import Limits
from dynaboard.runtime.pod import files

MIB = 1024**2


def test_folders_within_the_limits_are_no_complaint(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b").write_bytes(bytes([1]) * MIB)
    (tmp_path / "endless").symlink_to("/")
    assert files.complaint([tmp_path, tmp_path / "missing"], Limits(scratch_bytes=0)) is None


def test_what_is_written_counts_and_what_is_only_promised_does_not(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10 * files.OURS)
    assert files.complaint([tmp_path], Limits(scratch_bytes=MIB)) is None
    (tmp_path / "full").write_bytes(bytes([1]) * (files.OURS + 2 * MIB))
    assert files.complaint([tmp_path], Limits(scratch_bytes=MIB)) == (
        "The model wrote more than the 1 MiB of files it may have."
    )


def test_files_count_however_small_they_are(tmp_path: Path) -> None:
    for number in range(files.MOST_FILES + 1):
        (tmp_path / str(number)).touch()
    assert files.complaint([tmp_path], Limits()) == "The model made more than the 20,000 files it may have."


@pytest.fixture
def folder_of_a_plain_user() -> Iterator[Path]:
    """A folder of somebody whom modes concern, which we are for the test: root looks into every folder."""
    folder, root = Path(mkdtemp(prefix="dynaboard-files-")), os.geteuid() == 0
    if root:
        os.chown(folder, 65532, 65532)
        os.seteuid(65532)
    yield folder
    if root:
        os.seteuid(0)
    shutil.rmtree(folder)


@pytest.mark.parametrize("mode", [0o000, 0o300, 0o600])
def test_a_folder_that_hides_what_is_in_it_is_a_complaint(folder_of_a_plain_user: Path, mode: int) -> None:
    hidden = folder_of_a_plain_user / "hidden"
    hidden.mkdir()
    (hidden / "weights").write_bytes(bytes(MIB))
    hidden.chmod(mode)
    told = files.complaint([folder_of_a_plain_user], Limits())
    hidden.chmod(0o700)
    assert told == files.HIDDEN


def test_a_folder_too_deep_to_name_is_a_complaint(tmp_path: Path) -> None:
    opened = [os.open(tmp_path, os.O_RDONLY)]
    for _ in range(20):
        os.mkdir("x" * 250, dir_fd=opened[-1])
        opened.append(os.open("x" * 250, os.O_RDONLY, dir_fd=opened[-1]))
    for descriptor in opened:
        os.close(descriptor)
    assert files.complaint([tmp_path], Limits()) == files.HIDDEN

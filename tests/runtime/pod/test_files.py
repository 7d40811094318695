"""What a model may leave in the pod's folders."""

from pathlib import Path

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

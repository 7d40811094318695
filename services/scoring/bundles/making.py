"""Bundles as files, ready to be sent."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from dynaboard.bundle.container import Member, write
from dynaboard.bundle.document import DOCUMENT, BundledEvaluation, BundleDocument
from dynaboard.bundle.signature import SigningKey
from dynaboard.errors import PlatformFailure
from dynaboard.prediction_file import numbered
from services.scoring.objects import Objects


@contextmanager
def made(objects: Objects, document: BundleDocument, key: SigningKey, extra: Sequence[Member] = ()) -> Iterator[Path]:
    """The signed bundle of a document, and of what is not in storage, as a file while the block lasts.

    Disk: twice the bundle; memory: one block.

    Raises PlatformFailure where a stored file is not the one that was recorded.
    """
    with TemporaryDirectory(prefix="dynaboard-bundle-") as folder:
        members = [*extra, *_members(objects, document, Path(folder))]
        complete = document.model_copy(update={"files": {member.name: member.sha256 for member in members}})
        first = Member(DOCUMENT, complete.model_dump_json(indent=1).encode() + b"\n")
        target = Path(folder) / "bundle.tar"
        write(target, [first, *members], key)
        yield target


def _members(objects: Objects, document: BundleDocument, folder: Path) -> Iterator[Member]:
    names = [dataset.member for dataset in document.datasets]
    names += [evaluation.copy_member for evaluation in document.evaluations]
    for name in dict.fromkeys(name for name in names if name):
        yield _fetched(objects, name, folder)
    for evaluation in document.evaluations:
        if evaluation.predictions:
            yield _predictions(objects, evaluation, folder)


def _fetched(objects: Objects, name: str, folder: Path) -> Member:
    target = folder / name.replace("/", "-")
    objects.fetch(name, target)
    return Member(name, target)


def _predictions(objects: Objects, evaluation: BundledEvaluation, folder: Path) -> Member:
    name = evaluation.predictions or ""
    member = _fetched(objects, name, folder)
    if member.sha256 != evaluation.predictions_digest:
        raise PlatformFailure(f"The stored predictions of evaluation {evaluation.id} are not those recorded.")
    if not evaluation.numbered:
        return member
    target = folder / f"{evaluation.id}-numbered.parquet"
    with member.open() as file, target.open("wb") as copy:
        numbered(file, copy)
    return Member(name, target)

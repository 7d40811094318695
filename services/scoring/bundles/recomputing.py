"""Every number of a bundle, computed anew from what the bundle holds by the very code that made it."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dynaboard.bundle.document import BundledCell, BundledEvaluation
from dynaboard.errors import Invalid
from dynaboard.perturbed_copy import copy_key
from dynaboard.storage import dataset_key
from dynaboard.tables import Dataset, Evaluation
from dynaboard.task import task_from
from services.scoring.bundles.unpacking import Folder, Unpacked, check_lines
from services.scoring.intervals import within
from services.scoring.score import Work
from services.scoring.scored import score_cells
from services.scoring.stored import read_examples

# Sums in another order, as another processor may make them, differ in the last digits only.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Recomputed:
    """What became of one stated number: `difference` says what is wrong, `withheld` why it could not be computed."""

    title: str
    difference: str | None = None
    withheld: str | None = None


def recompute(unpacked: Unpacked) -> Iterator[Recomputed]:
    """Each score cell of the bundle in turn. Raises Invalid where a dataset or copy is not what its digest says."""
    document = unpacked.document
    stated = [cell for cell in document.cells if cell.table == "scores"]
    for evaluation in document.evaluations:
        of_it = [cell for cell in stated if _belongs(cell, evaluation)]
        yield from _of_evaluation(unpacked, evaluation, of_it)
    known = {(evaluation.dataset, evaluation.perturbation_digest) for evaluation in document.evaluations}
    for cell in stated:
        if (cell.dataset_digest, cell.perturbation_digest) not in known:
            yield Recomputed(cell.title, difference="no evaluation of the bundle is about it")


def _belongs(cell: BundledCell, evaluation: BundledEvaluation) -> bool:
    return (cell.dataset_digest, cell.perturbation_digest) == (evaluation.dataset, evaluation.perturbation_digest)


def _of_evaluation(
    unpacked: Unpacked, evaluation: BundledEvaluation, stated: list[BundledCell]
) -> Iterator[Recomputed]:
    missing = _missing(unpacked, evaluation)
    if missing:
        yield from (Recomputed(cell.title, withheld=missing) for cell in stated)
        return
    own = [cell for cell in stated if cell.provenance.get("predictions_digest") == evaluation.predictions_digest]
    for cell in stated:
        if cell not in own:
            yield Recomputed(cell.title, withheld="it was computed from another run of the same archive")
    by_replicates: dict[int, list[BundledCell]] = {}
    for cell in own:
        by_replicates.setdefault(cell.replicates, []).append(cell)
    for replicates, cells in by_replicates.items():
        yield from compared(cells, score_cells(unpacked.files, _work(unpacked, evaluation), replicates))


def compared(stated: Iterable[BundledCell], computed: Iterable[dict[str, Any]]) -> Iterator[Recomputed]:
    """Stated cells beside those computed from the predictions: value, both ends, and n."""
    found = {(cell["metric"], cell["tag"]): cell for cell in computed}
    for cell in stated:
        own = found.get((cell.metric, cell.tag))
        if own is None:
            yield Recomputed(cell.title, difference="the predictions do not give such a number")
        elif own["metric_version"] != cell.metric_version:
            versions = f"version {cell.metric_version}; this Dynaboard computes version {own['metric_version']}"
            yield Recomputed(cell.title, withheld=f"it is of {versions}")
        else:
            yield Recomputed(cell.title, difference=difference(cell, own))


def difference(stated: BundledCell, computed: dict[str, Any], source: str = "the predictions") -> str | None:
    """The first field in which the two are not the same number, in words."""
    for field in ("n", "value", "low", "high"):
        there, here = getattr(stated, field), computed[field]
        if field in {"low", "high"} and there is not None:
            there = within(stated.unit, stated.value, there)  # older bundles state ends beyond the metric's range
        if not _same(there, here):
            return f"the bundle states {field} {there}, {source} give {here}"
    return None


def _same(there: float | None, here: float | None) -> bool:
    if there is None or here is None:
        return there is here
    return abs(there - here) <= TOLERANCE * max(1.0, abs(there))


def _missing(unpacked: Unpacked, evaluation: BundledEvaluation) -> str | None:
    """Why this evaluation's numbers cannot be computed here."""
    dataset = next(known for known in unpacked.document.datasets if known.digest == evaluation.dataset)
    if not unpacked.files.has(dataset_key(dataset.digest)):
        return (
            f"the labels of {dataset.name} (version {dataset.version}) are not released; give its file, if you have it"
        )
    if evaluation.predictions is None:
        return f"the predictions on this copy of {dataset.name} are not handed out"
    if evaluation.perturbation and not unpacked.files.has(copy_key(evaluation.perturbation_digest)):
        return f"the perturbed copy of {dataset.name} is not handed out"
    return None


def _work(unpacked: Unpacked, evaluation: BundledEvaluation) -> Work:
    document, files = unpacked.document, unpacked.files
    check_lines(files, dataset_key(evaluation.dataset), evaluation.dataset)
    if evaluation.perturbation:
        check_lines(files, copy_key(evaluation.perturbation_digest), evaluation.perturbation_digest)
    original = next(
        other for other in document.evaluations if other.dataset == evaluation.dataset and not other.perturbation
    )
    dataset = Dataset(task=document.task["name"], digest=evaluation.dataset)
    digest = document.model.digest if document.model else ""
    return Work(_row(files, evaluation), _row(files, original), dataset, digest, task_from(document.task))


def _row(files: Folder, evaluation: BundledEvaluation) -> Evaluation:
    """The evaluation as the database had it, with the dataset's ids where the bundle has positions."""
    key, digest = evaluation.predictions or "", evaluation.predictions_digest
    if evaluation.numbered:
        key, digest = _named(files, evaluation)
    return Evaluation(
        id=evaluation.id,
        perturbation=evaluation.perturbation,
        perturbation_digest=evaluation.perturbation_digest,
        predictions_key=key,
        predictions_digest=digest,
    )


def _named(files: Folder, evaluation: BundledEvaluation) -> tuple[str, str]:
    """A copy of numbered predictions with the dataset's ids: its key and sha256."""
    key = f"named/{evaluation.id}.parquet"
    target: Path = files.path / key
    target.parent.mkdir(exist_ok=True)
    with files.open(dataset_key(evaluation.dataset)) as stream:
        ids = [example["id"] for example in read_examples(stream)]
    table = pq.read_table(files.path / (evaluation.predictions or ""))
    try:
        own = pa.array([ids[int(position)] for position in table["id"].to_pylist()])
    except (ValueError, IndexError) as error:
        raise Invalid(f"{evaluation.predictions} numbers examples that the dataset does not have.") from error
    pq.write_table(table.set_column(0, "id", own), target)
    with target.open("rb") as file:
        return key, hashlib.file_digest(file, "sha256").hexdigest()

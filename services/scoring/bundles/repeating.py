"""A bundle's evaluation done again on this machine: the same archive, the same texts, answers and numbers compared."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from dynaboard.archive import extract
from dynaboard.bundle.document import BundledCell, BundledDataset, BundledEvaluation
from dynaboard.contract import Answer
from dynaboard.errors import Invalid
from dynaboard.manifest import Manifest
from dynaboard.perturbed_copy import copy_key, perturbed_inputs, read_variants
from dynaboard.prediction_file import encode
from dynaboard.runtime import Limits, ModelServer, Predictor, start_server
from dynaboard.storage import dataset_key
from dynaboard.task import Task, task_from
from services.scoring.bundles.recomputing import Recomputed, recompute
from services.scoring.bundles.unpacking import Unpacked
from services.scoring.stored import read_examples

OnStep = Callable[[str], None]


@dataclass(frozen=True)
class Repeated:
    """One evaluation beside its repetition. `different`: places (from 0) of examples answered otherwise, at most 20."""

    title: str
    examples: int
    same: int
    different: tuple[int, ...]


@dataclass(frozen=True)
class Repetition:
    """What was repeated, what its answers make of every number, and what could not be repeated, with the reason."""

    evaluations: tuple[Repeated, ...]
    numbers: tuple[Recomputed, ...]
    withheld: dict[str, str]
    sandbox: str

    @property
    def same(self) -> bool:
        """Whether every answer was given again."""
        return all(found.same == found.examples for found in self.evaluations)


@dataclass(frozen=True)
class Bench:
    """A running model, and the bundle it is held against."""

    unpacked: Unpacked
    task: Task
    manifest: Manifest
    server: ModelServer


def repeat(unpacked: Unpacked, archive: Path, scratch: Path, on_step: OnStep) -> Repetition:
    """Run the model on every text that is there, and compare. Call it outside an event loop.

    Raises ModelFailure when the model cannot start or breaks its contract, PlatformFailure when this machine cannot.
    """
    withheld: dict[str, str] = {}
    found: list[Repeated] = []
    again: dict[str, bytes] = {}
    on_step("Starting the model")
    with _started(unpacked, archive, scratch) as bench:
        for evaluation in unpacked.document.evaluations:
            title = _title(_dataset(unpacked, evaluation), evaluation)
            missing = _missing(unpacked, evaluation)
            if missing:
                withheld[title] = missing
                continue
            on_step(f"Predicting {title}")
            answers = asyncio.run(_answers(bench, evaluation))
            found.append(_compared(bench, evaluation, title, answers))
            again[evaluation.id] = encode(bench.task, answers)
        sandbox = bench.server.sandbox
    on_step("Computing every number from the new answers")
    return Repetition(tuple(found), tuple(recompute(_with(unpacked, again))), withheld, sandbox)


def _with(unpacked: Unpacked, again: Mapping[str, bytes]) -> Unpacked:
    """The bundle with these predictions, by evaluation, in place of its own; what was not repeated has none."""
    document, evaluations = unpacked.document, []
    digests: dict[str, str] = {}
    for evaluation in document.evaluations:
        raw = again.get(evaluation.id)
        changed: dict[str, Any] = {"predictions": None}
        if raw is not None:
            key = f"predictions/{evaluation.id}.parquet"
            target = unpacked.files.path / key
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(raw)
            digest = hashlib.sha256(raw).hexdigest()
            digests[evaluation.predictions_digest] = digest
            changed = {"predictions": key, "predictions_digest": digest, "numbered": False}
        evaluations.append(evaluation.model_copy(update=changed))
    cells = [_from(cell, digests) for cell in document.cells]
    changed_document = document.model_copy(update={"evaluations": evaluations, "cells": cells})
    return Unpacked(unpacked.key, changed_document, unpacked.files)


def _from(cell: BundledCell, digests: Mapping[str, str]) -> BundledCell:
    digest = str(cell.provenance.get("predictions_digest"))
    provenance = cell.provenance | {"predictions_digest": digests.get(digest, digest)}
    return cell.model_copy(update={"provenance": provenance})


@contextmanager
def _started(unpacked: Unpacked, archive: Path, scratch: Path) -> Iterator[Bench]:
    folder = scratch / "model"
    folder.mkdir()
    with archive.open("rb") as file:
        manifest = extract(file, folder).manifest
    if manifest.handler is None:
        raise Invalid("Only predictions were handed in here; there is no model to run again.")
    server = start_server(folder, manifest.handler, scratch / "run", Limits())
    try:
        server.wait_ready()
        yield Bench(unpacked, task_from(unpacked.document.task), manifest, server)
    finally:
        server.discard()


async def _answers(bench: Bench, evaluation: BundledEvaluation) -> list[Answer]:
    found: list[Answer] = []
    async with Predictor(bench.server, bench.task, bench.server.limits.predict_s) as predictor:
        async for answers in predictor.stream(_texts(bench.unpacked, evaluation), bench.manifest.batch_size):
            found += answers
    return found


def _texts(unpacked: Unpacked, evaluation: BundledEvaluation) -> Iterator[dict[str, Any]]:
    """The examples as the model saw them, in the order of the dataset or of the copy."""
    with unpacked.files.open(dataset_key(evaluation.dataset)) as stream:
        if not evaluation.perturbation:
            yield from read_examples(stream)
            return
        with unpacked.files.open(copy_key(evaluation.perturbation_digest)) as copy:
            yield from perturbed_inputs(read_examples(stream), read_variants(copy))


def _compared(bench: Bench, evaluation: BundledEvaluation, title: str, answers: Sequence[Answer]) -> Repeated:
    stated = pq.read_table(bench.unpacked.files.path / (evaluation.predictions or ""))[bench.task.answer_field]
    values = stated.to_pylist()
    if len(values) != len(answers):
        raise Invalid(f"The bundle has {len(values)} predictions on {title}, but {len(answers)} texts.")
    different = [place for place, answer in enumerate(answers) if answer.value != values[place]]
    return Repeated(title, len(values), len(values) - len(different), tuple(different[:20]))


def _missing(unpacked: Unpacked, evaluation: BundledEvaluation) -> str | None:
    """Why this evaluation cannot be done again here."""
    if not unpacked.files.has(dataset_key(evaluation.dataset)):
        return "its texts are not in the bundle; give the dataset's file, if you have it"
    if evaluation.predictions is None:
        return "its predictions are not handed out"
    if evaluation.perturbation and not unpacked.files.has(copy_key(evaluation.perturbation_digest)):
        return "the perturbed copy is not handed out"
    return None


def _dataset(unpacked: Unpacked, evaluation: BundledEvaluation) -> BundledDataset:
    return next(dataset for dataset in unpacked.document.datasets if dataset.digest == evaluation.dataset)


def _title(dataset: BundledDataset, evaluation: BundledEvaluation) -> str:
    copy = f" ({evaluation.perturbation})" if evaluation.perturbation else ""
    return f"{dataset.name} v{dataset.version}{copy}"

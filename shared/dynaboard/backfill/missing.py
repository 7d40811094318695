"""From what exists and what boards need to the work that is missing. Pure: same sets in, same list out."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

# Why a model must run: it never saw this data, or the perturbed copy is made otherwise now, or the cost measured so.
Kind = Literal["data", "perturbation", "measurement"]
# A metric's name and version.
Version = tuple[str, str]


@dataclass(frozen=True, order=True)
class Subject:
    """A model that stands on a board: its newest finished version, and whose it is."""

    submission_id: str
    model_digest: str
    owner: str


@dataclass(frozen=True, order=True)
class Text:
    """A dataset, or a perturbed copy of one for a `suite`, that models are run on.

    `copy` is the digest of the copy, or "recipe:" and that of its recipe where it is not made yet; then `examples` is
    an estimate. `bytes_each` is the mean length of an example.
    """

    dataset_id: str
    suite: str
    copy: str
    dataset_digest: str
    examples: int
    bytes_each: float = 0.0


@dataclass(frozen=True, order=True)
class Inference:
    """One model to be run on one text; a measurement runs it for its cost alone."""

    subject: Subject
    text: Text
    kind: Kind


# (submission id, dataset id, suite, copy): predictions that are stored, or that a model has failed to give.
Place = tuple[str, str, str, str]


@dataclass(frozen=True)
class Known:
    """What exists: stored predictions, what failed and is not to be tried again by itself, and cost cells.

    `costs` are (model digest, dataset digest) pairs measured on the hardware profile and protocol in force, `old_costs`
    those measured on any.
    """

    predictions: Set[Place] = frozenset()
    failed: Set[Place] = frozenset()
    costs: Set[tuple[str, str]] = frozenset()
    old_costs: Set[tuple[str, str]] = frozenset()


def place(subject: Subject, text: Text) -> Place:
    """Where the predictions of a model on a text are found."""
    return subject.submission_id, text.dataset_id, text.suite, text.copy


def missing_inferences(subjects: Iterable[Subject], texts: Collection[Text], known: Known) -> list[Inference]:
    """Every pair of a model and a text that has no predictions, or no cost, and has not failed; each once, sorted."""
    seen = {at[:3] for at in known.predictions}
    found = set()
    for subject in subjects:
        for text in texts:
            at, cost = place(subject, text), (subject.model_digest, text.dataset_digest)
            if at in known.failed:
                continue
            if at not in known.predictions:
                found.add(Inference(subject, text, "perturbation" if text.suite and at[:3] in seen else "data"))
            elif not text.suite and cost not in known.costs:
                found.add(Inference(subject, text, "measurement" if cost in known.old_costs else "data"))
    return sorted(found)


@dataclass(frozen=True, order=True)
class Stored:
    """Stored predictions of one evaluation; `suite` and `copy` are empty for the dataset itself."""

    evaluation_id: str
    model_digest: str
    dataset_digest: str
    suite: str
    copy: str
    examples: int


# (model digest, dataset digest, copy, metric, version)
CellKey = tuple[str, str, str, str, str]


def cell_key(stored: Stored, metric: Version) -> CellKey:
    """The key of the cell that a metric makes of stored predictions."""
    return stored.model_digest, stored.dataset_digest, stored.copy, *metric


def missing_cells(
    predictions: Iterable[Stored], metrics: Mapping[tuple[str, str], Sequence[Version]], cells: Set[CellKey]
) -> dict[Stored, list[Version]]:
    """The metrics that each evaluation lacks, evaluations of one dataset beside each other.

    `metrics` are those wanted of each (dataset digest, suite). Predictions of the same model on the same text, handed
    in twice, are one cell: the first is planned.
    """
    found: dict[Stored, list[Version]] = {}
    planned: set[CellKey] = set(cells)
    for stored in sorted(predictions, key=lambda each: (each.dataset_digest, each.suite, each.copy, each)):
        for metric in metrics.get((stored.dataset_digest, stored.suite), ()):
            key = cell_key(stored, metric)
            if key not in planned:
                planned.add(key)
                found.setdefault(stored, []).append(metric)
    return found

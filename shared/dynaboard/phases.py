"""A test set's phases by date (the AMI shared task): who may read its inputs and its labels, and when. Pure."""

from datetime import UTC, datetime
from typing import Literal, Protocol

Phase = Literal["training", "test-unlabelled", "labels-released"]
TRAINING: Phase = "training"
UNLABELLED: Phase = "test-unlabelled"
RELEASED: Phase = "labels-released"


class Scheduled(Protocol):
    """What of a dataset decides its phase. Without dates `phase` is what it is in, for good."""

    role: str
    phase: str
    unlabelled_from: datetime | None
    released_from: datetime | None


def has_schedule(dataset: Scheduled) -> bool:
    """Whether the phases have dates."""
    return dataset.unlabelled_from is not None or dataset.released_from is not None


def phase_of(dataset: Scheduled, at: datetime | None = None) -> str:
    """The phase at a time; now, unless one is given. A dataset without `released_from` waits for its owner."""
    if not has_schedule(dataset):
        return dataset.phase
    moment = at or datetime.now(UTC)
    if dataset.released_from is not None and moment >= dataset.released_from:
        return RELEASED
    if dataset.unlabelled_from is None or moment >= dataset.unlabelled_from:
        return UNLABELLED
    return TRAINING


def inputs_are_open(dataset: Scheduled, at: datetime | None = None) -> bool:
    """Whether examples may be read without their labels: of a test set with dates not before its phase begins."""
    return not (has_schedule(dataset) and phase_of(dataset, at) == TRAINING)


def labels_are_open(dataset: Scheduled, at: datetime | None = None) -> bool:
    """Whether labels may be shown: of a set with dates once they are released, else of such as do not rank.

    Never of hidden ones.
    """
    if dataset.role == "hidden":
        return False
    if has_schedule(dataset):
        return phase_of(dataset, at) == RELEASED
    return dataset.role == "standard" and dataset.phase != UNLABELLED


def counts(dataset: Scheduled, at: datetime | None = None) -> bool:
    """Whether results may be computed and shown: not while the labels wait for their day."""
    return phase_of(dataset, at) != UNLABELLED and inputs_are_open(dataset, at)

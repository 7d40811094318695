"""Datasets in, and the end of evaluations: on any platform, in a cluster or on this machine."""

from dynaboard.client import Client
from dynaboard.schemas import SubmissionView
from examples.demo import example_datasets
from tests.e2e.kubernetes.cluster import until

ENDS = {"finished", "failed", "cancelled"}
# For one model on small examples: seconds on a machine of its own, minutes on a busy one.
PATIENCE_S = 600


def add_datasets(platform: Client, task: str = "sentiment") -> None:
    """The example test sets of a task."""
    for file in example_datasets():
        if file.task == task:
            words = {"task": task, "name": file.name, "role": file.role, "format": "jsonl"}
            platform.datasets.add(file.path, words | {"licence": file.licence, "citation": file.citation})


def ended(platform: Client, submission_id: str, patience_s: float = PATIENCE_S) -> SubmissionView:
    """Wait for a submission's end, whichever it is."""

    def now() -> SubmissionView | None:
        view = platform.submissions.get(submission_id)
        return view if view.status in ENDS else None

    return until(now, patience_s, f"the end of submission {submission_id}")

"""Datasets: which there are, what a model sees of them, and new ones."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import httpx

from dynaboard.client.connection import Connection, given
from dynaboard.schemas import DatasetChange, DatasetView, PerturbationPreview

BLOCK = 1024**2
UPLOAD_TIMEOUT = httpx.Timeout(600.0, connect=5.0)


class Datasets:
    """`client.datasets`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self, task: str | None = None) -> list[DatasetView]:
        """The datasets of the platform."""
        return self._connection.ask(list[DatasetView], "GET", "datasets", params=given(task=task))

    def sample(self, dataset_id: str) -> list[dict[str, Any]]:
        """A few of its examples as a model sees them."""
        return self._connection.ask(list[dict[str, Any]], "GET", f"datasets/{dataset_id}/sample")

    def change(self, dataset_id: str, wanted: DatasetChange) -> DatasetView:
        """Change its role, whether it is active, or its dates; for task owners. Raises Forbidden, Conflict."""
        body = wanted.model_dump(mode="json", exclude_unset=True)
        return self._connection.ask(DatasetView, "PATCH", f"datasets/{dataset_id}", json=body)

    def inputs(self, dataset_id: str) -> list[str]:
        """The inputs of a test set that has dates, a JSON object each. Raises Forbidden before they are open."""
        answer = self._connection.send("GET", f"datasets/{dataset_id}/inputs", timeout=UPLOAD_TIMEOUT)
        return answer.text.rstrip("\n").split("\n")  # a text may hold other ends of lines

    def perturbations(self, dataset_id: str, suite: str, limit: int = 5) -> list[PerturbationPreview]:
        """The first examples that `suite` (fairness or robustness) changes, beside their variants."""
        path = f"datasets/{dataset_id}/perturbations/{suite}"
        return self._connection.ask(list[PerturbationPreview], "GET", path, params={"limit": limit})

    def catalogue(self, task: str | None = None) -> list[dict[str, Any]]:
        """Known datasets, where to get them and what `add` calls them."""
        return self._connection.ask(list[dict[str, Any]], "GET", "catalogue", params=given(task=task))

    def add(self, path: Path, words: Mapping[str, str]) -> DatasetView:
        """Upload a dataset; for task owners. The same examples again give the version that is there.

        `words`: task, name, licence, citation, format, role, description and mapping (JSON), as far as `catalogue`,
        the name of an entry of the catalogue, does not say them.
        """
        with path.open("rb") as file:
            return self._connection.ask(
                DatasetView, "POST", "datasets", params=dict(words), content=_blocks(file), timeout=UPLOAD_TIMEOUT
            )


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """The file in pieces, so that its size does not matter."""
    while block := file.read(BLOCK):
        yield block

"""The texts of a perturbed copy, read from local files as LocalExamples reads those of a dataset."""

from collections.abc import Iterator
from typing import Any

from dynaboard.perturbed_copy import copy_key, perturbed_inputs, read_variants
from dynaboard.tables import Dataset, PerturbedCopy
from services.evaluator.bench import Bench, LocalExamples, Order


class LocalVariants:
    """A perturbed copy's texts: a local file of edits beside the dataset's examples."""

    def __init__(self, bench: Bench, order: Order, dataset: Dataset, copy: PerturbedCopy) -> None:
        self._originals = LocalExamples(bench, order, dataset)
        self._file = order.scratch / f"{copy.digest}.variants.gz"
        self._storage = bench.storage
        self._key = copy_key(copy.digest)

    def fetch(self) -> None:
        """Copy dataset and edits here unless they are here already. Raises NotFound."""
        self._originals.fetch()
        if not self._file.exists():
            self._storage.fetch(self._key, self._file)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        with self._file.open("rb") as file:
            yield from perturbed_inputs(self._originals, read_variants(file))

    def discard(self) -> None:
        """Delete the local files."""
        self._originals.discard()
        self._file.unlink(missing_ok=True)

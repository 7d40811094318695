"""The texts of a perturbed copy, read from local files as LocalExamples reads those of a dataset."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from dynaboard.errors import PlatformFailure
from dynaboard.perturbed_copy import StoredVariant, copy_key, read_variants
from dynaboard.tables import Dataset, PerturbedCopy
from services.evaluator.bench import Bench, LocalExamples, Order


def perturbed_inputs(
    examples: Iterable[Mapping[str, Any]], variants: Iterable[StoredVariant]
) -> Iterator[dict[str, Any]]:
    """Each variant as an example under its own id; both streams stand in the dataset's order.

    Raises PlatformFailure for variants of an example that is not there.
    """
    remaining = iter(examples)
    for identifier, group in groupby(variants, key=lambda variant: variant.of):
        example = next((each for each in remaining if each["id"] == identifier), None)
        if example is None:
            raise PlatformFailure(f"A perturbed copy holds variants of {identifier!r}, which is not in its place.")
        for variant in group:
            yield variant.inputs(example)


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

"""The verdict on a bundle: whose it is, which of its numbers were computed anew, and the first that is not so."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from dynaboard.bundle.document import BundleDocument
from dynaboard.bundle.signature import PublicKey
from services.scoring.bundles.board import recompute_board
from services.scoring.bundles.costs import recompute_costs
from services.scoring.bundles.recomputing import Recomputed, recompute
from services.scoring.bundles.unpacking import Unpacked, add_datasets, unpack


@dataclass(frozen=True)
class Verification:
    """`difference` is None where all that could be computed is as stated; `withheld`: how many not, and why."""

    key: PublicKey
    document: BundleDocument
    recomputed: int
    withheld: dict[str, int]
    difference: str | None

    @property
    def ok(self) -> bool:
        """Whether nothing contradicts the bundle."""
        return self.difference is None


def verify(bundle: Path, datasets: Iterable[Path] = ()) -> Verification:
    """Check every byte of a bundle, then compute its numbers anew; offline. `datasets`: what it may not hold.

    Raises Invalid where the file is not as it was signed, or contradicts itself.
    """
    with TemporaryDirectory(prefix="dynaboard-verify-") as folder:
        unpacked = unpack(bundle, Path(folder))
        add_datasets(unpacked, list(datasets))
        return verdict(unpacked, numbers(unpacked))


def numbers(unpacked: Unpacked) -> Iterable[Recomputed]:
    """Every number of the bundle, computed anew one after the other."""
    if unpacked.document.kind == "board":
        return recompute_board(unpacked)
    return chain(recompute(unpacked), recompute_costs(unpacked.document))


def verdict(unpacked: Unpacked, found: Iterable[Recomputed]) -> Verification:
    """Count until the first difference."""
    recomputed, withheld = 0, Counter[str]()
    difference = None
    for one in found:
        if one.difference:
            difference = f"{one.title}: {one.difference}"
            break
        if one.withheld:
            withheld[one.withheld] += 1
        else:
            recomputed += 1
    return Verification(unpacked.key, unpacked.document, recomputed, dict(withheld), difference)

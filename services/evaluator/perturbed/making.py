"""Makes the variants of a whole dataset: streamed, in one process or several, the same bytes either way."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from typing import Any

from dynaboard.nlp_tasks import TASKS, Task
from dynaboard.perturbed_copy import StoredVariant
from services.evaluator.perturbations.edits import Example
from services.evaluator.perturbations.variants import variants
from services.evaluator.perturbed.recipe import Recipe

CHUNK = 250
# A process takes about two seconds to start, in which one does so many examples.
WORTH_PROCESSES = 5_000


@dataclass
class Tally:
    """What was made of `examples` examples. `unchanged` counts the texts that a perturbation left as they were."""

    examples: int = 0
    with_variants: int = 0
    variants: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    groups: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Count another part of the dataset too."""
        self.examples += other.examples
        self.with_variants += other.with_variants
        self.variants += other.variants
        self.kinds += other.kinds
        self.groups += other.groups
        self.unchanged += other.unchanged

    def described(self) -> dict[str, Any]:
        """The counts as the manifest keeps them; `spared` of the texts need not be run, as nothing changed in them."""
        spared = self.unchanged.total()
        return {
            "examples": self.examples,
            "with_variants": self.with_variants,
            "coverage": self.with_variants / self.examples if self.examples else 0.0,
            "variants": self.variants,
            "kinds": dict(sorted(self.kinds.items())),
            "groups": dict(sorted(self.groups.items())),
            "unchanged": dict(sorted(self.unchanged.items())),
            "spared": spared,
            "spared_share": spared / (spared + self.variants) if spared else 0.0,
        }


Part = tuple[list[bytes], Tally]


def make_part(task_name: str, recipe: Recipe, examples: Sequence[Example]) -> Part:
    """The lines of some examples' variants, in order, and their counts. Pure; runs in any process."""
    lines: list[bytes] = []
    tally = Tally(examples=len(examples))
    for example in examples:
        made = list(_variants_of(TASKS[task_name], recipe, example, tally))
        lines += [variant.line() for variant in made]
        tally.variants += len(made)
        tally.with_variants += bool(made)
        tally.kinds.update(variant.kind for variant in made)
        tally.groups.update(variant.group for variant in made if variant.group)
    return lines, tally


def _variants_of(task: Task, recipe: Recipe, example: Example, tally: Tally) -> Iterator[StoredVariant]:
    number = 0
    for perturbation in recipe.perturbations:
        found = variants(task, example, [perturbation], recipe.seed)
        if not found:
            tally.unchanged[perturbation.name] += 1
        for variant in found:
            identifier = f"{example['id']}~{number}"
            yield StoredVariant(identifier, example["id"], variant.kind, variant.group, variant.edits)
            number += 1


def make_parts(
    task: Task, recipe: Recipe, examples: Iterable[Example], processes: int, stopped: Callable[[], bool]
) -> Iterator[Part]:
    """All parts in the order of the examples, a few in memory at a time. Ends early once `stopped()`."""
    remaining = iter(examples)
    chunks = iter(lambda: list(islice(remaining, CHUNK)), [])
    parts: Iterator[Part]
    if processes == 1:
        parts = (make_part(task.name, recipe, chunk) for chunk in chunks)
    else:
        parts = _by_processes(task, recipe, chunks, processes)
    for part in parts:
        if stopped():
            return
        yield part


def _by_processes(task: Task, recipe: Recipe, chunks: Iterable[list[Example]], processes: int) -> Iterator[Part]:
    # "spawn": this process has threads, and a forked one would inherit their locks.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        pending: deque[Future[Part]] = deque()
        try:
            for chunk in chunks:
                pending.append(pool.submit(make_part, task.name, recipe, chunk))
                if len(pending) > 2 * processes:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

"""Makes the variants of a whole dataset: streamed, in one process or several, the same bytes either way."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from dynaboard.errors import PlatformFailure
from dynaboard.perturbed_copy import StoredVariant
from dynaboard.task import Task
from services.evaluator.perturbations import fairness
from services.evaluator.perturbations.edits import Example, Variant
from services.evaluator.perturbations.robustness.textflint import KINDS as TEXTFLINT_KINDS
from services.evaluator.perturbations.robustness.textflint import TextFlint
from services.evaluator.perturbations.variants import variants
from services.evaluator.perturbed.recipe import Recipe

CHUNK = 250
# A process takes about two seconds to start. Both copies of SNLI or SQuAD test (10,000 examples) take eight, in one
# process or two.
WORTH_PROCESSES = 20_000
# spaCy's analyses are remembered in a table that two threads must not change at once.
ONE_AT_A_TIME = Lock()


@dataclass(frozen=True)
class Workers:
    """What may do the work: so many processes of our own, and an interpreter that has TextFlint."""

    processes: int = 1
    textflint: Path | None = None


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
        """The counts as the manifest keeps them; `spared` texts need not be run, as nothing changed in them.

        A perturbation that changes no text at all (WordCase of qa) is not counted as if it had spared any.
        """
        spared = sum(count for count in self.unchanged.values() if count < self.examples)
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
# What each perturbation, by name, makes of an example; an empty list where it changes nothing.
Variants = Callable[[Example], Iterable[tuple[str, list[Variant]]]]


def make_parts(
    task: Task, recipe: Recipe, examples: Iterable[Example], workers: Workers, stopped: Callable[[], bool]
) -> Iterator[Part]:
    """All parts in the order of the examples, a few in memory at a time. Ends early once `stopped()`.

    Raises PlatformFailure where the recipe wants TextFlint and it is not there or dies.
    """
    remaining = iter(examples)
    chunks = iter(lambda: list(islice(remaining, CHUNK)), [])
    parts: Iterator[Part]
    if recipe.uses_textflint:
        parts = _by_textflint(task, recipe, chunks, workers)
    elif workers.processes == 1:
        parts = (make_part(task, recipe, chunk) for chunk in chunks)
    else:
        parts = _by_processes(task, recipe, chunks, workers.processes)
    for part in parts:
        if stopped():
            return
        yield part


def make_part(task: Task, recipe: Recipe, examples: Sequence[Example]) -> Part:
    """The lines of some examples' variants, in order, and their counts. Pure; runs in any process."""
    with ONE_AT_A_TIME:
        if recipe.suite == "fairness":
            fairness.warm(task, examples, recipe.fairness)
        return _part(examples, lambda example: own_variants(task, recipe, example))


def own_variants(task: Task, recipe: Recipe, example: Example) -> Iterator[tuple[str, list[Variant]]]:
    """What each of our own perturbations makes of an example."""
    for perturbation in recipe.perturbations:
        yield perturbation.name, variants(task, example, [perturbation], recipe.seed)


def _part(examples: Sequence[Example], variants_of: Variants) -> Part:
    lines: list[bytes] = []
    tally = Tally(examples=len(examples))
    for example in examples:
        number = 0
        for name, found in variants_of(example):
            tally.unchanged[name] += not found
            for variant in found:
                identifier = f"{example['id']}~{number}"
                stored = StoredVariant(identifier, example["id"], variant.kind, variant.group, variant.edits)
                lines.append(stored.line())
                tally.kinds[variant.kind] += 1
                tally.groups[variant.group] += bool(variant.group)
                number += 1
        tally.with_variants += number > 0
    tally.variants = len(lines)
    return lines, tally


def _by_textflint(task: Task, recipe: Recipe, chunks: Iterable[list[Example]], workers: Workers) -> Iterator[Part]:
    if workers.textflint is None:
        raise PlatformFailure("The engine textflint needs DYNABOARD_TEXTFLINT_PYTHON, an interpreter that has it.")
    with TemporaryDirectory(prefix="dynaboard-") as cache, TextFlint(workers.textflint, Path(cache)) as engine:

        def variants_of(example: Example) -> Iterator[tuple[str, list[Variant]]]:
            found = engine.variants(task, example, recipe.seed)
            for kind in TEXTFLINT_KINDS:
                yield kind, [variant for variant in found if variant.kind == kind]

        for chunk in chunks:
            yield _part(chunk, variants_of)


def _by_processes(task: Task, recipe: Recipe, chunks: Iterable[list[Example]], processes: int) -> Iterator[Part]:
    # "spawn": this process has threads, and a forked one would inherit their locks.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        pending: deque[Future[Part]] = deque()
        try:
            for chunk in chunks:
                pending.append(pool.submit(make_part, task, recipe, chunk))
                if len(pending) > 2 * processes:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

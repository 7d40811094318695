"""What the perturbations do to real texts: counts for each, and a sample to read.

    python -m services.evaluator.perturbations.survey FOLDER [--suite robustness] [--limit 2000] [--sample 5] [--seed 0]

FOLDER is searched for *.jsonl and *.jsonl.gz whose lines hold an id and the input fields of a task; the first `limit`
lines of each file count. In the sample each edit is shown as [-old-]{+new+}.
"""

import argparse
import gzip
import heapq
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from dynaboard.nlp_tasks import TASKS, Task
from services.evaluator.perturbations import PERTURBATIONS
from services.evaluator.perturbations.edits import Edit, Perturbation, Variant
from services.evaluator.perturbations.variants import variants

# What is shown of an unedited stretch of a long text, at its ends.
SHOWN = 60


@dataclass
class Tally:
    """What one kind of variant did to the examples of one task. `sample` is a heap of (−rank, text)."""

    examples: int = 0
    variants: int = 0
    edits: int = 0
    sample: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Survey:
    """The result: tallies by (task, kind) and the number of examples of each task."""

    tallies: dict[tuple[str, str], Tally]
    totals: Counter[str]


def survey(rows: Iterable[tuple[Task, dict[str, Any]]], chosen: list[Perturbation], seed: int, sample: int) -> Survey:
    """Tallies by (task, kind), how many examples each task has, and for each tally a random sample of its variants."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    totals: Counter[str] = Counter()
    for task, example in rows:
        totals[task.name] += 1
        found = variants(task, example, chosen, seed)
        for kind in {variant.kind for variant in found}:
            tallies[task.name, kind].examples += 1
        for variant in found:
            _count(tallies[task.name, variant.kind], example, variant, sample)
    return Survey(dict(tallies), totals)


def _count(tally: Tally, example: dict[str, Any], variant: Variant, sample: int) -> None:
    tally.variants += 1
    tally.edits += sum(map(len, variant.edits.values()))
    key = f"{example['id']} {variant.kind} {variant.group}".encode()
    rank = -int.from_bytes(blake2b(key, digest_size=8).digest())
    if len(tally.sample) < sample:
        heapq.heappush(tally.sample, (rank, marked(example, variant)))
    elif tally.sample and rank > tally.sample[0][0]:
        heapq.heapreplace(tally.sample, (rank, marked(example, variant)))


def marked(example: dict[str, Any], variant: Variant) -> str:
    """The changed fields with their edits marked."""
    parts = (f"{name}: {_marked(example[name], edits)}" for name, edits in variant.edits.items())
    return f"<{variant.group}> " * bool(variant.group) + " || ".join(parts)


def _marked(text: str, edits: Iterable[Edit]) -> str:
    parts, position = [], 0
    for start, end, replacement in edits:
        parts.append(_shortened(text[position:start]))
        parts.append(f"[-{text[start:end]}-]" * (end > start) + f"{{+{replacement}+}}" * bool(replacement))
        position = end
    return "".join([*parts, _shortened(text[position:])]).replace("\n", " ")


def _shortened(text: str) -> str:
    return text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]} … {text[-SHOWN:]}"


def read_rows(folder: Path, limit: int) -> Iterator[tuple[Task, dict[str, Any]]]:
    """The examples of every file in the folder, each with the first task whose inputs it has."""
    for path in sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.gz")]):
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
            for line in islice(lines, limit):
                row = json.loads(line)
                task = next((task for task in TASKS.values() if row.keys() >= {"id", *task.inputs}), None)
                if task is not None:
                    yield task, row


def main() -> None:
    """Print the counts as a table, then the sample."""
    parser = argparse.ArgumentParser(description="Count and show what the perturbations do to the texts of a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suite", choices=["robustness", "fairness"])
    parser.add_argument("--limit", type=int, default=2_000, help="lines of each file (default 2000)")
    parser.add_argument("--sample", type=int, default=5, help="variants shown for each task and kind (default 5)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chosen = [each for each in PERTURBATIONS.values() if given.suite in (None, each.suite)]
    result = survey(read_rows(given.folder, given.limit), chosen, given.seed, given.sample)
    print(f"{'task':12} {'kind':16} {'examples':>9} {'changed':>9} {'share':>7} {'variants':>9} {'edits each':>11}")
    for (task, kind), tally in sorted(result.tallies.items()):
        share, mean = tally.examples / result.totals[task], tally.edits / tally.variants
        counts = f"{result.totals[task]:>9,} {tally.examples:>9,} {share:>7.1%} {tally.variants:>9,} {mean:>11.2f}"
        print(f"{task:12} {kind:16} {counts}")
    for (task, kind), tally in sorted(result.tallies.items()):
        print(f"\n== {task}, {kind}", *(f"- {text}" for _, text in sorted(tally.sample)), sep="\n")


if __name__ == "__main__":
    main()

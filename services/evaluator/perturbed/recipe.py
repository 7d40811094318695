"""What decides the variants of a dataset, as data: whoever follows the same recipe gets the same bytes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from services.evaluator.perturbations import PERTURBATIONS
from services.evaluator.perturbations.edits import Perturbation, Suite
from services.evaluator.settings import EvaluatorSettings

FORMAT = 1
SUITES: tuple[Suite, ...] = ("fairness", "robustness")
LEXICON_SUFFIXES = (".txt", ".tsv", ".csv", ".json", ".yaml")


@dataclass(frozen=True)
class Recipe:
    """The choices of an installation for one suite. `seed` is any number; examples are seeded one by one with it."""

    suite: Suite
    seed: int
    engine: str = "builtin"
    entity_policy: str = "skip_example"

    @property
    def perturbations(self) -> list[Perturbation]:
        """The perturbations of the suite, in order."""
        return perturbations_of(self)

    def described(self) -> dict[str, Any]:
        """The recipe in full: engine, versions, seed and the digests of all word lists."""
        return {
            "format": FORMAT,
            "suite": self.suite,
            "engine": self.engine,
            "seed": self.seed,
            "perturbations": {perturbation.name: perturbation.version for perturbation in self.perturbations},
            "lexicons": _lexicons(self.suite),
            **({"entity_policy": self.entity_policy} if self.suite == "fairness" else {}),
        }

    @property
    def digest(self) -> str:
        """sha256 of the description."""
        return sha256(json.dumps(self.described(), sort_keys=True).encode()).hexdigest()


def recipe_of(settings: EvaluatorSettings, suite: Suite) -> Recipe:
    """What the settings say about a suite."""
    return Recipe(suite, settings.perturbation_seed, settings.perturbation_engine, settings.entity_policy)


@cache
def perturbations_of(recipe: Recipe) -> list[Perturbation]:
    """Built once a process: word lists and pipelines take a moment to load."""
    return [perturbation for perturbation in PERTURBATIONS.values() if perturbation.suite == recipe.suite]


@cache
def _lexicons(suite: Suite) -> dict[str, str]:
    folder = files("services.evaluator.perturbations") / suite
    return {name: sha256(file.read_bytes()).hexdigest() for name, file in sorted(_data_files(folder, ""))}


def _data_files(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _data_files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(LEXICON_SUFFIXES):
            yield f"{prefix}{entry.name}", entry

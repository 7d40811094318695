"""What decides the variants of a dataset, as data: whoever follows the same recipe gets the same bytes."""

import json
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from dynaboard.nlp_tasks import TASKS
from dynaboard.task import Task
from services.evaluator.perturbations import fairness, robustness
from services.evaluator.perturbations.edits import Perturbation, Suite
from services.evaluator.perturbations.fairness.options import EntityPolicy, FairnessOptions
from services.evaluator.perturbations.robustness.textflint import KINDS as TEXTFLINT_KINDS
from services.evaluator.settings import EvaluatorSettings

FORMAT = 1
SUITES: tuple[Suite, ...] = ("fairness", "robustness")
BUILTIN, TEXTFLINT = "builtin", "textflint"
TEXTFLINT_VERSION = "0.1.0"


@dataclass(frozen=True)
class Recipe:
    """The choices of an installation for one suite.

    `seed` is any number; examples are seeded one by one with it. `engine` is what makes the robustness suite: "builtin"
    or "textflint". `fairness` are the choices of the other suite, `protected` the inputs that the task lets alone.
    """

    suite: Suite
    seed: int
    engine: str = "builtin"
    fairness: FairnessOptions = field(default_factory=FairnessOptions)
    protected: tuple[str, ...] = ()

    @property
    def uses_textflint(self) -> bool:
        """Whether the original package makes the variants, in a process of its own."""
        return self.suite == "robustness" and self.engine == TEXTFLINT

    @property
    def perturbations(self) -> list[Perturbation]:
        """Our own perturbations of the suite, in order."""
        return list(_perturbations(self.suite, self.fairness))

    def described(self) -> dict[str, Any]:
        """The recipe in full: engine, versions, seed, digests of all word lists, the pipeline that knows entities."""
        known: dict[str, Any] = {"format": FORMAT, "suite": self.suite, "seed": self.seed}
        if self.protected:
            known["protected"] = list(self.protected)
        if self.uses_textflint:
            versions = dict.fromkeys(TEXTFLINT_KINDS, TEXTFLINT_VERSION)
            return {**known, "engine": TEXTFLINT, "perturbations": versions}
        versions = {perturbation.name: str(perturbation.version) for perturbation in self.perturbations}
        of_suite = fairness.describe(self.fairness) if self.suite == "fairness" else {"lexicon": _word_lists()}
        return {**known, **of_suite, "engine": "builtin", "perturbations": versions}

    @property
    def digest(self) -> str:
        """sha256 of the description."""
        return sha256(json.dumps(self.described(), sort_keys=True).encode()).hexdigest()


def recipe_of(settings: EvaluatorSettings, suite: Suite, task: Task) -> Recipe:
    """What the settings and the task say about a suite. TextFlint knows the tasks of the paper alone."""
    policy: EntityPolicy = settings.entity_policy
    options = FairnessOptions(entity_policy=policy, paper_random=settings.paper_random)
    engine = settings.perturbation_engine if task.name in TASKS else BUILTIN
    protected = tuple(sorted(name for of, name in task.protected if of == suite))
    return Recipe(suite, settings.perturbation_seed, engine, options, protected)


@cache
def _perturbations(suite: Suite, options: FairnessOptions) -> tuple[Perturbation, ...]:
    """Made once a process: their word lists take a moment to load."""
    made = fairness.builtin(options) if suite == "fairness" else robustness.ROBUSTNESS
    return tuple(made.values())


@cache
def _word_lists() -> dict[str, str]:
    folder = files("services.evaluator.perturbations") / "robustness"
    lists = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".txt"))
    return {name: sha256(entry.read_bytes()).hexdigest() for name, entry in lists}

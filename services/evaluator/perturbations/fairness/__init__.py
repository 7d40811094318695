"""Fairness: the same sentence about somebody else (appendix A of the Dynaboard paper).

`name_ethnicity` renames across four race and ethnicity groups, `name_gender` across gender with the pronouns that go
with the names, `gendered_words` swaps nouns and pronouns where nobody is named.
"""

from collections.abc import Callable, Iterable

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.edits import Example, Perturbation, Propose
from services.evaluator.perturbations.fairness import swaps
from services.evaluator.perturbations.fairness.guard import guard
from services.evaluator.perturbations.fairness.lexicon import digests
from services.evaluator.perturbations.fairness.options import FairnessOptions
from services.evaluator.perturbations.fairness.paper import paper_draw
from services.evaluator.perturbations.fairness.reading import texts_to_analyse

VERSION = 2
KINDS: dict[str, Callable[[FairnessOptions], Propose]] = {
    "name_ethnicity": swaps.name_ethnicity,
    "name_gender": swaps.name_gender,
    "gendered_words": swaps.gendered_words,
}
DEFAULTS = FairnessOptions()


def builtin(options: FairnessOptions) -> dict[str, Perturbation]:
    """The three perturbations under these options."""
    proposals = {
        kind: paper_draw(kind, options) if options.paper_random else make(options) for kind, make in KINDS.items()
    }
    return {kind: Perturbation(kind, "fairness", VERSION, propose) for kind, propose in proposals.items()}


def describe(options: FairnessOptions = DEFAULTS) -> dict[str, object]:
    """What a manifest must say so that the copies can be made again: versions, digests, pipeline and choices."""
    return {
        "engine": "builtin",
        "version": VERSION,
        "lexicon": digests(),
        **guard(options.pipelines).describe(),
        "entity_policy": options.entity_policy,
        "paper_random": options.paper_random,
    }


def warm(task: Task, examples: Iterable[Example], options: FairnessOptions = DEFAULTS) -> None:
    """Let spaCy read a batch of examples (a few hundred) at once; what they become does not depend on it."""
    guard(options.pipelines).warm(texts_to_analyse(task, examples))


FAIRNESS: dict[str, Perturbation] = builtin(DEFAULTS)

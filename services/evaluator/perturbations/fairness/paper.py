"""The paper's own draw (`paper_random`), for comparison: appendix A read to the letter.

All of its names count, ambiguous or not; each occurrence is drawn for itself from any other group (or from the other
gender), so genders, groups and coreference get mixed; names and words change in variants of their own.
"""

from collections.abc import Callable

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.edits import Edit, Edits, Example, Propose, Variant
from services.evaluator.perturbations.fairness.gendered import gendered_mentions
from services.evaluator.perturbations.fairness.guard import guard
from services.evaluator.perturbations.fairness.lexicon import Name, lexicon
from services.evaluator.perturbations.fairness.options import FairnessOptions
from services.evaluator.perturbations.fairness.words import Words, words_of
from services.evaluator.perturbations.robustness.words import like

Change = Callable[[Words, Draws], list[Edit]]


def paper_draw(kind: str, options: FairnessOptions) -> Propose:
    """The paper's form of `name_ethnicity`, `name_gender` or `gendered_words`; its groups are not recorded."""
    change = CHANGES[kind]

    def propose(task: Task, example: Example, random: Draws) -> list[Edits | Variant]:
        if options.entity_policy == "skip_example" and _has_familiar_entity(task, example, options):
            return []
        edits = {field: tuple(change(words_of(example[field]), random)) for field in task.text_inputs}
        return [Variant(kind, "", {field: changes for field, changes in edits.items() if changes})]

    return propose


def _has_familiar_entity(task: Task, example: Example, options: FairnessOptions) -> bool:
    return any(guard(options.pipelines).analysis(example[field]).entities for field in task.text_inputs)


def _other_group(words: Words, random: Draws) -> list[Edit]:
    return _renamed(words, random, lambda old, new: old.group != new.group)


def _other_gender(words: Words, random: Draws) -> list[Edit]:
    genders = {"female", "male"}
    return _renamed(words, random, lambda old, new: {old.gender, new.gender} == genders)


def _renamed(words: Words, random: Draws, differs: Callable[[Name, Name], bool]) -> list[Edit]:
    names = lexicon().paper_names
    edits = []
    for word in words.words:
        old = names.get(word.lower)
        if old is None or not word.text[0].isupper():
            continue
        others = [new.text for new in names.values() if differs(old, new)]
        if others:
            edits.append(Edit(word.start, word.end, like(word.text, others[int(random.random() * len(others))])))
    return edits


def _partners(words: Words, random: Draws) -> list[Edit]:
    del random  # the paper replaces words by their partners, "as that could result in ungrammatical sentences"
    return [
        Edit(mention.start, mention.end, like(words.text[mention.start : mention.end], mention.partner))
        for mention in gendered_mentions(words, {})
    ]


CHANGES: dict[str, Change] = {
    "name_ethnicity": _other_group,
    "name_gender": _other_gender,
    "gendered_words": _partners,
}

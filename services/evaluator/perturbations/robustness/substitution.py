"""The frame of Keyboard, Ocr, SpellingError and Typos: some words of each field, one change in each. Pure."""

from collections.abc import Callable

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.edits import Edit, Edits, Example, Propose
from services.evaluator.perturbations.protected import Spans, protected_spans
from services.evaluator.perturbations.robustness.options import MAX_EDITS, Options
from services.evaluator.perturbations.robustness.tokens import eligible_words, tokens
from services.evaluator.perturbations.robustness.words import english_words

# The word changed once, at random; None where it cannot be.
Change = Callable[[str, Draws], str | None]
# How often a change that gave another English word, or the same one, is drawn again.
ATTEMPTS = 8


def fields(task: Task) -> tuple[str, ...]:
    """The fields that are perturbed: of a question and its text the text alone (as TextFlint does)."""
    return task.perturbed("robustness")


def substitution(share: float, change: Change, options: Options) -> Propose:
    """A proposal that changes floor(share × number of tokens) words of each field: at least 1, at most 10."""
    eligible = eligible_words(options)

    def propose(task: Task, example: Example, random: Draws) -> list[Edits]:
        changed: dict[str, tuple[Edit, ...]] = {}
        for field in fields(task):
            if edits := _substitute(example[field], protected_spans(example, field), random):
                changed[field] = edits
        return [changed] if changed else []

    def _substitute(text: str, protected: Spans, random: Draws) -> tuple[Edit, ...]:
        pieces, ends = tokens(text)
        left = eligible(text, protected).copy()
        wanted = min(max(int(share * (len(pieces) // 2)), 1), MAX_EDITS)
        draw = random.random
        edits: list[Edit] = []
        while left and len(edits) < wanted:
            index = left.pop(int(draw() * len(left)))
            if (changed := change(pieces[index], random)) is not None:
                edits.append(Edit(ends[index - 1], ends[index], changed))
        edits.sort()
        return tuple(edits)

    return propose


def redrawn(change: Change, options: Options) -> Change:
    """The change, drawn again while it gives back the word or, with `keep_words`, makes another English word of it."""
    words = english_words() if options.keep_words else frozenset()

    def draw(word: str, random: Draws) -> str | None:
        for _ in range(ATTEMPTS):
            result = change(word, random)
            if result is None:
                return None
            if result != word and ((lowered := result.lower()) not in words or lowered == word.lower()):
                return result
        return None

    return draw

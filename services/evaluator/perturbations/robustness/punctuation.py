"""Punctuation: other marks at the end, and brackets or quotes around the whole. Pure."""

import re

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.edits import Edit, Edits, Example, Propose
from services.evaluator.perturbations.robustness.options import Options
from services.evaluator.perturbations.robustness.substitution import fields

MARKS = ("...", ".", ",", ";")
BRACKETS = (('"', '"'), ("{", "}"), ("[", "]"), ("(", ")"), ("`", "`"), ("【", "】"))
# (mark, opening, closing): 24, of which two end in a smiley.
ENDINGS = tuple((mark, *pair) for mark in MARKS for pair in BRACKETS)
NO_SMILEYS = tuple(ending for ending in ENDINGS if ending[0] + ending[2] not in (";)", ";]"))
STOPS = frozenset(".,;:!?…")
ANY_MARK = re.compile(r"[^\w\s]")


def punctuation(options: Options) -> Propose:
    """A proposal that replaces the marks at the end of each field by one of four and wraps it in one of six pairs."""
    endings = NO_SMILEYS if options.keep_closing else ENDINGS

    def propose(task: Task, example: Example, random: Draws) -> list[Edits]:
        return [{field: _wrapped(example[field], random) for field in fields(task)}]

    def _wrapped(text: str, random: Draws) -> tuple[Edit, ...]:
        mark, opening, closing = endings[int(random.random() * len(endings))]
        if not text.strip():
            return ()  # there is nothing to put in brackets
        start = len(text) - len(text.lstrip())
        end = len(text.rstrip())
        return (Edit(start, start, opening), Edit(_end_of_words(text, end), end, mark + closing))

    def _end_of_words(text: str, end: int) -> int:
        stop = end
        while stop and (text[stop - 1].isspace() or text[stop - 1] in STOPS or _is_other_mark(text[stop - 1])):
            stop -= 1
        return stop or end  # a text of marks alone keeps them

    def _is_other_mark(character: str) -> bool:
        return not options.keep_closing and ANY_MARK.match(character) is not None

    return propose

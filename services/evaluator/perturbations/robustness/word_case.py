"""WordCase: the whole text in upper case. Pure."""

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.edits import Edit, Edits, Example
from services.evaluator.perturbations.protected import markup_spans, outside


def upper_case(task: Task, example: Example, random: Draws) -> list[Edits]:
    """Every field in upper case, markup aside; nothing for qa, whose answers would differ in case (as Dynabench)."""
    if not task.labels:
        return []
    return [{field: _upper(example[field]) for field in task.perturbed("robustness")}]


def _upper(text: str) -> tuple[Edit, ...]:
    pieces = outside(markup_spans(text), len(text))
    return tuple(Edit(start, end, text[start:end].upper()) for start, end in pieces)

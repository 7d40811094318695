"""The variants of an example: proposed by perturbations, checked here once for all of them. Pure."""

from collections.abc import Iterable

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import KeyedDraws
from services.evaluator.perturbations.edits import (
    Edit,
    Edits,
    Example,
    Perturbation,
    Variant,
    apply_edits,
    check_edits,
    map_answers,
)
from services.evaluator.perturbations.protected import answer_spans, markup_spans, touches


def variants(task: Task, example: Example, perturbations: Iterable[Perturbation], seed: int) -> list[Variant]:
    """Every form of `example` whose text differs from it.

    Each perturbation draws from numbers of its own, keyed by (seed, its name, the example's id): neither the order
    of the examples nor the batch nor the process matters. Edits inside markup are left out. Raises ValueError for
    edits that are outside their text or overlap, which is a mistake in the perturbation.
    """
    found = []
    for perturbation in perturbations:
        allowed = task.perturbed(perturbation.suite)
        random = KeyedDraws(f"{seed}:{perturbation.name}:{example['id']}")
        for proposal in perturbation.propose(task, example, random):
            kind, group, edits = proposal if isinstance(proposal, Variant) else (perturbation.name, "", proposal)
            if kept := _kept(example, {field: edits[field] for field in edits if field in allowed}):
                found.append(Variant(kind, group, kept))
    return found


def perturbed(task: Task, example: Example, edits: Edits) -> dict[str, object]:
    """The example after the edits: its input fields changed and, for qa, its answers mapped along.

    An answer that stands in the original context stands in the perturbed one, under every name that it got there.
    """
    result = dict(example)
    for field, changes in edits.items():
        result[field] = apply_edits(example[field], changes)
    if task.kind == "span" and (changes := edits.get(task.of, ())):
        context: str = example[task.of]
        names = (map_answers(context, changes, text, answer_spans(context, text)) for text in example["answers"])
        result["answers"] = [name for answer in names for name in answer]
    return result


def _kept(example: Example, edits: Edits) -> dict[str, tuple[Edit, ...]]:
    """The fields that change, with those of their edits that change something they may."""
    changed = {}
    for field, changes in edits.items():
        text: str = example[field]
        check_edits(text, changes)
        markup = markup_spans(text)
        kept = tuple(
            [edit for edit in changes if text[edit[0] : edit[1]] != edit[2] and not (markup and touches(edit, markup))]
        )
        # Where the first replacement does not stand in the text already, there is no need to put the texts together.
        if kept and (not text.startswith(kept[0][2], kept[0][0]) or apply_edits(text, kept) != text):
            changed[field] = kept
    return changed

"""A look at a perturbed copy: originals and variants side by side, cut where they differ."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any

from dynaboard.edits import Edit
from dynaboard.schemas import PerturbationPreview, PreviewPiece, PreviewVariant
from dynaboard.task import Task
from services.evaluator.perturbations.edits import Variant
from services.evaluator.perturbed.making import ONE_AT_A_TIME, own_variants
from services.evaluator.perturbed.recipe import Recipe

# How many examples are looked through for such as have a variant.
MOST_EXAMPLES = 500


def preview(task: Task, recipe: Recipe, examples: Iterable[dict[str, Any]], limit: int) -> list[PerturbationPreview]:
    """The first `limit` examples that have a variant, each with all of its variants; never what is right.

    Made on the spot by our own engine, also where the copies themselves are TextFlint's.
    """
    return list(islice(_previews(task, recipe, examples), limit))


def _previews(task: Task, recipe: Recipe, examples: Iterable[dict[str, Any]]) -> Iterator[PerturbationPreview]:
    for example in examples:
        shown = preview_of(task, recipe, example)
        if shown.variants:
            yield shown


def preview_of(task: Task, recipe: Recipe, example: Mapping[str, Any]) -> PerturbationPreview:
    """One example with all of its variants, of which there may be none."""
    with ONE_AT_A_TIME:
        found = [variant for _, made in own_variants(task, recipe, example) for variant in made]
    original = {field: example[field] for field in task.text_inputs}
    return PerturbationPreview(original=original, variants=[_variant(example, variant) for variant in found])


def unstored(example: Mapping[str, Any], draw: int) -> dict[str, Any]:
    """A text that is in no dataset, with an id made from itself: the same text and `draw` get the same variants."""
    name = json.dumps([draw, sorted(example.items())], ensure_ascii=False)
    return {**example, "id": sha256(name.encode("utf-8", "surrogatepass")).hexdigest()}


def _variant(example: Mapping[str, Any], variant: Variant) -> PreviewVariant:
    fields = {field: pieces(example[field], edits) for field, edits in variant.edits.items()}
    return PreviewVariant(kind=variant.kind, group=variant.group, fields=fields)


def pieces(text: str, edits: Iterable[Edit]) -> list[PreviewPiece]:
    """The text cut at its edits; the originals joined give the text, the variants the perturbed one."""
    cut, position = [], 0
    for start, end, replacement in edits:
        if start > position:
            cut.append(PreviewPiece(original=text[position:start], variant=text[position:start], edited=False))
        cut.append(PreviewPiece(original=text[start:end], variant=replacement, edited=True))
        position = end
    if position < len(text):
        cut.append(PreviewPiece(original=text[position:], variant=text[position:], edited=False))
    return cut

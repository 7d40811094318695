"""What the fairness perturbations make of a text."""

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.fairness import FairnessOptions, builtin
from services.evaluator.perturbations.variants import perturbed, variants

# Without a trained pipeline, whether or not one is installed where the tests run.
RULES_ONLY = FairnessOptions(pipelines=())
SKIP_SPAN = FairnessOptions(pipelines=(), entity_policy="skip_span")


def changed(text: str, options: FairnessOptions = RULES_ONLY, seed: int = 0) -> dict[str, object]:
    """{kind: the perturbed text} of one sentence."""
    return {kind: fields["statement"] for kind, fields in changed_example("sentiment", (text,), options, seed).items()}


def changed_example(
    task_name: str, fields: tuple[str, ...], options: FairnessOptions = RULES_ONLY, seed: int = 0, **more: object
) -> dict[str, dict[str, object]]:
    """{kind: the perturbed example} of an example with these input fields."""
    task = TASKS[task_name]
    example = {"id": "1", **dict(zip(task.inputs, fields, strict=True)), **more}
    found = variants(task, example, builtin(options).values(), seed)
    return {variant.kind: perturbed(task, example, variant.edits) for variant in found}


def regendered(text: str) -> object:
    """The text after the swap of gendered words; itself where nothing changes."""
    return changed(text).get("gendered_words", text)

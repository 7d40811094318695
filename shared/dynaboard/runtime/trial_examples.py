"""A handful of legal examples a task that trip careless handlers: pure data, written for this purpose."""

from itertools import cycle, islice
from typing import Any

from dynaboard.nlp_tasks import Task

TEXTS = (
    "The film was a delight from the first minute to the last.",
    "I would not send my worst enemy to that hotel.",
    "It opens at nine and closes at five.",
    "Ünïcödé naïveté: 日本語のテキスト, العربية, \U0001f600\U0001f44d\U0001f3fd — “quotes” … \u200bzero\u00a0width",
    "",
    " ",
    "?",
    "ok",
    '<b>not</b> markup & "quotes" \\ backslash \t tab \n newline',
    "They said that the committee, which had met twice, would not meet again before spring. " * 60,
    "a" * 2_000,
)
CONTEXT = (
    "The bridge at Ålesund was opened in 1987. It is 620 metres long and carries two lanes; "
    "“Brua”, as the locals call it, was painted green in 2004. "
)


def trial_examples(task: Task) -> list[dict[str, Any]]:
    """Examples as a dataset stores them, without labels: ordinary, unicode, nearly empty, long."""
    if task.kind == "span":
        contexts = (CONTEXT, CONTEXT.strip(), CONTEXT * 80, "1987", TEXTS[3] + " " + CONTEXT)
        questions = ("When was the bridge opened?", "¿Cuánto mide el puente? \U0001f309", "Why?", "Who " * 200, "")
        pairs = zip(contexts, questions, strict=True)
    else:
        pairs = zip(TEXTS, TEXTS[1:] + TEXTS[:1], strict=True)
    fields = [_fields(task, pair) for pair in pairs]
    return [{"id": f"trial-{index}", **example} for index, example in enumerate(fields, 1)]


def _fields(task: Task, texts: tuple[str, str]) -> dict[str, str | list[str]]:
    """Each input one of two texts in turn; that of a span comes first, and tokens are a text's words."""
    ordered = sorted(task.inputs, key=lambda name: name != task.of)
    given = dict(zip(ordered, cycle(texts), strict=False))
    return {name: given[name].split() or ["?"] if name in task.token_inputs else given[name] for name in task.inputs}


def trial_batches(task: Task, batch_size: int) -> list[list[dict[str, Any]]]:
    """A batch of one, then every trial example in batches of the declared size, the first of them full."""
    examples = trial_examples(task)
    filled = list(islice(cycle(examples), max(batch_size, len(examples))))
    whole = [{**example, "id": f"trial-{index}"} for index, example in enumerate(filled, 1)]
    return [whole[:1], *(whole[start : start + batch_size] for start in range(0, len(whole), batch_size))]

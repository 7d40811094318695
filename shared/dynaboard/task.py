"""What a task is to whoever runs and scores models: what goes in, what must come out, what ranks it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

# label: one of `labels`; span: a piece of the input `of`; text: any text; token-labels: one for each token of `of`.
AnswerKind = Literal["label", "span", "text", "token-labels"]
Suite = Literal["fairness", "robustness"]
ANSWER_FIELDS: dict[AnswerKind, str] = {
    "label": "label",
    "span": "answer",
    "text": "answer",
    "token-labels": "token_labels",
}

# The paper's tables were made on instances of 32 GB, although its text says 16 (scoring design, "memory budget").
PAPER_MEMORY_BUDGET_GIB = 32.0


@dataclass(frozen=True)
class Task:
    """One NLP task. `inputs` are the fields a model sees; `labels` is empty unless it chooses one of them.

    `of` is the input that a span is a piece of, or whose tokens are labelled with `token_labels`; inputs in
    `token_inputs` are lists of tokens, all others texts. Of the perturbations the `suites` are run; `protected` names
    the inputs that one of them leaves alone.
    """

    name: str
    title: str
    inputs: tuple[str, ...]
    labels: tuple[str, ...]
    performance_metric: str
    memory_budget_gib: float = PAPER_MEMORY_BUDGET_GIB
    kind: AnswerKind = "label"
    of: str = ""
    token_labels: tuple[str, ...] = ()
    token_inputs: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    suites: tuple[Suite, ...] = ("fairness", "robustness")
    protected: tuple[tuple[Suite, str], ...] = ()
    warning: str = ""
    fairness_note: str = ""

    @property
    def text_inputs(self) -> tuple[str, ...]:
        """The inputs that are texts."""
        return tuple(name for name in self.inputs if name not in self.token_inputs)

    def perturbed(self, suite: Suite) -> tuple[str, ...]:
        """The inputs that a suite may change: texts that are not protected from it.

        Of a question and its text, robustness changes the text alone, as TextFlint does.
        """
        texts = (self.of,) if self.kind == "span" and suite == "robustness" else self.text_inputs
        return tuple(name for name in texts if (suite, name) not in self.protected)

    @property
    def answer_field(self) -> str:
        """The field of a model's answer that is compared with the reference."""
        return ANSWER_FIELDS[self.kind]

    @property
    def reference_field(self) -> str:
        """The field of a stored example that holds what is right; it never reaches a model."""
        return {"label": "label", "token-labels": "token_labels"}.get(self.kind, "answers")

    def accepted(self, example: Mapping[str, Any]) -> tuple[str, ...]:
        """What is right for a stored example, as `as_text` writes answers; any of them will do."""
        given = example[self.reference_field]
        if self.kind == "token-labels":
            return (" ".join(given),)
        return (given,) if isinstance(given, str) else tuple(given)


def task_from(document: Mapping[str, Any]) -> Task:
    """The task that `dataclasses.asdict` wrote and JSON kept."""
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in document.items()}
    return Task(**fields | {"protected": tuple((suite, name) for suite, name in document.get("protected", ()))})

"""What a model must accept and return for a task, said once for the platform, `dynaboard check` and every runtime."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from dynaboard.errors import ModelFailure
from dynaboard.task import AnswerKind, Task

# float32 softmaxes and fastText's probabilities miss 1 by a little; more than this is a mistake.
PROB_TOLERANCE = 1e-3
# A field the contract does not name is ignored, unless it makes answers grow without need.
LONGEST_EXTRA = 1_000
LONGEST_ANSWER = 20_000
FIELDS = frozenset({"id", "label", "answer", "token_labels", "prob", "conf"})


@dataclass(frozen=True)
class Answer:
    """One checked answer. `id` is the dataset's example id; `prob` holds every label of the task and lies in [0, 1].

    `value` is the label or the text; the labels of tokens are joined by blanks.
    """

    id: str
    value: str
    prob: dict[str, float] | None
    conf: float | None


class BrokenContract(ModelFailure):
    """An answer that breaks the contract. `position` (from 0) and `complaint` may be shown where the id is hidden."""

    def __init__(self, position: int, example_id: str, complaint: str) -> None:
        self.position = position
        self.example_id = example_id
        self.complaint = complaint
        super().__init__(f"Example {example_id} (number {position + 1}): {complaint}.")


def wire_examples(task: Task, examples: Sequence[Mapping[str, Any]], first: int = 0) -> list[dict[str, Any]]:
    """Return what a model sees: the task's input fields and an opaque id, the example's position counted from `first`.

    Dataset ids stay here: those of MNLI and SNLI end in the label's letter.
    """
    return [
        {"id": str(position), **{field: example[field] for field in task.inputs}}
        for position, example in enumerate(examples, first)
    ]


def read_answers(task: Task, examples: Sequence[Mapping[str, Any]], answers: object, first: int = 0) -> list[Answer]:
    """Check a model's answers to `wire_examples(task, examples, first)`; return them in the order of the examples.

    Raises BrokenContract, a ModelFailure, naming the first example whose answer is missing, doubled or wrong.
    """
    if not isinstance(answers, list):
        raise ModelFailure(f"predict() must return a list with one answer per example, not {_shown(answers)}.")
    by_id = _by_id(examples, answers, first)
    read = READERS[task.kind]
    return [read(task, example, by_id[str(position)], position) for position, example in enumerate(examples, first)]


def _by_id(examples: Sequence[Mapping[str, Any]], answers: list[Any], first: int) -> dict[str, dict[str, Any]]:
    """The answers by wire id: exactly one for each example."""
    known = {str(position): position for position in range(first, first + len(examples))}
    by_id: dict[str, dict[str, Any]] = {}
    for index, answer in enumerate(answers, 1):
        if not isinstance(answer, dict):
            raise ModelFailure(
                f"The answer at place {index} must be a dict such as {{'id': '0', …}}, not {_shown(answer)}."
            )
        wire_id = answer.get("id")
        if not isinstance(wire_id, str) or wire_id not in known:
            asked = "which no example has: return ids unchanged"
            raise ModelFailure(f"The answer at place {index} has the id {_shown(wire_id)}, {asked}.")
        if wire_id in by_id:
            position = known[wire_id]
            _refuse(examples[position - first], position, "it is answered twice; answer every example once")
        by_id[wire_id] = answer
    if len(by_id) < len(known):
        position = next(position for wire_id, position in known.items() if wire_id not in by_id)
        _refuse(examples[position - first], position, _missing(len(answers), len(examples)))
    return by_id


def _missing(answered: int, asked: int) -> str:
    return f"it has no answer; predict() returned {answered} of {asked}"


def _read_label(task: Task, example: Mapping[str, Any], answer: dict[str, Any], position: int) -> Answer:
    label: Any = answer.get("label")
    if label not in task.labels:
        _refuse(example, position, f"the label {_shown(label)} is not one of {', '.join(task.labels)}")
    prob = answer.get("prob")
    if prob is not None and not _plainly_right(task, prob):
        prob = _read_prob(task, example, prob, position)
    _refuse_ballast(example, answer, position)
    return Answer(example["id"], label, prob, None)


def _read_prob(task: Task, example: Mapping[str, Any], prob: object, position: int) -> dict[str, float]:
    """Probabilities of all labels, clipped to [0, 1]; a label left out counts as 0."""
    if not isinstance(prob, dict):
        _refuse(example, position, f"prob must be a dict of label to probability, not {_shown(prob)}")
    for label, value in prob.items():
        if label not in task.labels:
            _refuse(example, position, f"prob names {_shown(label)}, which is not one of {', '.join(task.labels)}")
        if not _is_probability(value):
            _refuse(example, position, f"the probability of {label} is {_shown(value)}, not a number from 0 to 1")
    total = sum(prob.values())
    if not -PROB_TOLERANCE <= total - 1 <= PROB_TOLERANCE:
        _refuse(example, position, f"the probabilities sum to {total:.4f}, not to 1")
    return {label: _clipped(prob.get(label, 0.0)) for label in task.labels}


def _plainly_right(task: Task, prob: Any) -> bool:
    """Whether nothing needs to be said or mended: the usual case, at a third of the cost of the reasons."""
    if type(prob) is not dict or len(prob) != len(task.labels):
        return False
    total = 0.0
    for label in task.labels:
        value = prob.get(label)
        if type(value) is not float or not 0.0 <= value <= 1.0:
            return False
        total += value
    return -PROB_TOLERANCE <= total - 1 <= PROB_TOLERANCE


def _clipped(value: float) -> float:
    return 0.0 if value <= 0 else 1.0 if value >= 1 else float(value)


def _read_span(task: Task, example: Mapping[str, Any], answer: dict[str, Any], position: int) -> Answer:
    text = answer.get("answer")
    if not isinstance(text, str):
        _refuse(example, position, f"the answer must be a string, not {_shown(text)}")
    if text not in example[task.of]:
        _refuse(example, position, f"the answer {_shown(text)} is not a span of the {task.of}")
    return _with_conf(example, answer, text, position)


def _read_text(task: Task, example: Mapping[str, Any], answer: dict[str, Any], position: int) -> Answer:
    text = answer.get("answer")
    if not isinstance(text, str):
        _refuse(example, position, f"the answer must be a string, not {_shown(text)}")
    if len(text) > LONGEST_ANSWER:
        _refuse(example, position, f"the answer has {len(text):,} characters; at most {LONGEST_ANSWER:,} are taken")
    try:
        text.encode()
    except UnicodeEncodeError:
        _refuse(example, position, "the answer holds half of a surrogate pair, which is no character")
    return _with_conf(example, answer, text, position)


def _read_token_labels(task: Task, example: Mapping[str, Any], answer: dict[str, Any], position: int) -> Answer:
    labels = answer.get("token_labels")
    count = len(example[task.of])
    if not isinstance(labels, list) or len(labels) != count:
        _refuse(example, position, f"token_labels must be a list of {count}, one for each token, not {_shown(labels)}")
    for label in labels:
        if label not in task.token_labels:
            _refuse(example, position, f"the label {_shown(label)} is not one of {', '.join(task.token_labels)}")
    return _with_conf(example, answer, " ".join(labels), position)


def _with_conf(example: Mapping[str, Any], answer: dict[str, Any], value: str, position: int) -> Answer:
    conf = answer.get("conf")
    if conf is not None and not _is_probability(conf):
        _refuse(example, position, f"conf is {_shown(conf)}, not a number from 0 to 1")
    _refuse_ballast(example, answer, position)
    return Answer(example["id"], value, None, None if conf is None else _clipped(conf))


READERS: dict[AnswerKind, Callable[[Task, Mapping[str, Any], dict[str, Any], int], Answer]] = {
    "label": _read_label,
    "span": _read_span,
    "text": _read_text,
    "token-labels": _read_token_labels,
}


def _is_probability(value: object) -> bool:
    # NaN fails both comparisons, and a bool is an int to Python but not to an author.
    if type(value) is not float and type(value) is not int:
        return False
    return -PROB_TOLERANCE <= value <= 1 + PROB_TOLERANCE


def _refuse_ballast(example: Mapping[str, Any], answer: dict[str, Any], position: int) -> None:
    if answer.keys() <= FIELDS:
        return
    for field, value in answer.items():
        if field not in FIELDS and isinstance(value, (str, list, dict)) and len(value) > LONGEST_EXTRA:
            _refuse(example, position, f"the extra field {_shown(field)} is too long; leave it out")


def _refuse(example: Mapping[str, Any], position: int, complaint: str) -> NoReturn:
    raise BrokenContract(position, str(example["id"]), complaint)


def _shown(value: object) -> str:
    """A short, one-line picture of anything a model may send, without ever copying a huge value."""
    if isinstance(value, (list, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    return repr(value)[:40]

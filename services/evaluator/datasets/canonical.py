"""The one form in which examples are kept: JSON lines whose bytes are the dataset's identity. Pure."""

import gzip
import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, BinaryIO

from dynaboard.errors import Invalid
from dynaboard.nlp_tasks import Task

# {"id": str, <the task's inputs>: str or list[str], "tags": list[str], if any, and what is right: "label": str or
# list[str], "answers": list[str] or "token_labels": list[str]}
Example = dict[str, Any]

MAX_ID_CHARACTERS = 200
MAX_TAG_CHARACTERS = 100
MAX_TAGS = 32


def checked(task: Task, example: Example) -> Example:
    """The example in canonical form: every field checked, tags sorted, a list of one label unwrapped.

    An answer of a qa example need not be a span of its context: MRQA's answers differ from the passage in case and
    blanks, and the metric normalises both sides. Raises Invalid with a sentence about the first thing that is wrong.
    """
    unknown = example.keys() - {"id", "tags", task.reference_field, *task.inputs}
    if unknown:
        raise Invalid(f"{_shown(min(unknown))} is not a field of task {task.name}")
    canonical: Example = {"id": _identifier(example.get("id"))}
    for field in task.inputs:
        read = _tokens if field in task.token_inputs else _text
        canonical[field] = read(field, example.get(field))
    canonical[task.reference_field] = _reference(task, example, canonical)
    if tags := _tags(example.get("tags", [])):
        canonical["tags"] = tags
    return canonical


def canonical_lines(task: Task, examples: Iterable[Example]) -> Iterator[bytes]:
    """Each example as one line: sorted keys, UTF-8, newline. SHA-256 over all lines is the dataset's digest.

    Memory: 8 bytes of hash an example, to find repeated ids. Raises Invalid for a bad example, a repeated id or no
    example at all.
    """
    seen: set[bytes] = set()
    for example in examples:
        canonical = checked(task, example)
        key = blake2b(canonical["id"].encode(), digest_size=8).digest()
        if key in seen:
            raise Invalid(f"the id {_shown(canonical['id'])} occurs twice; every example needs an id of its own")
        seen.add(key)
        yield json.dumps(canonical, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    if not seen:
        raise Invalid("the file holds no example; check the format, and the mapping's where, drop and rows")


def read_examples(stream: BinaryIO) -> Iterator[Example]:
    """The examples of a stored dataset (gzip of canonical lines), one at a time."""
    with gzip.open(stream) as lines:
        for line in lines:
            yield json.loads(line)


def _text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise Invalid(f'"{field}" must be a text, not {_shown(value)}')
    if not value.strip():
        raise Invalid(f'"{field}" is empty')
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Invalid(f'"{field}" holds half of a surrogate pair, which is no character') from None
    return value


def _name(field: str, value: object, limit: int) -> str:
    text = _text(field, value)
    if len(text) > limit or not text.isprintable():
        raise Invalid(f'"{field}" must be at most {limit} printable characters, not {_shown(text)}')
    return text


def _identifier(value: object) -> str:
    return _name("id", value, MAX_ID_CHARACTERS)


def _tokens(field: str, value: object) -> list[str]:
    if not isinstance(value, list) or not value:
        raise Invalid(f'"{field}" must be a list of at least one token, not {_shown(value)}')
    return [_text(field, token) for token in value]


def _reference(task: Task, example: Example, canonical: Example) -> str | list[str]:
    if task.kind == "label":
        return _label(task, example)
    if task.kind == "token-labels":
        return _token_labels(task, example.get("token_labels"), len(canonical[task.of]))
    return _answers(example.get("answers"))


def _token_labels(task: Task, value: object, count: int) -> list[str]:
    if not isinstance(value, list) or len(value) != count:
        raise Invalid(f'"token_labels" must be a list of {count}, one for each token, not {_shown(value)}')
    for label in value:
        if label not in task.token_labels:
            raise Invalid(f"the label {_shown(label)} is none of {', '.join(task.token_labels)}")
    return value


def _label(task: Task, example: Example) -> str | list[str]:
    given = example.get("label")
    labels = given if isinstance(given, list) else [given]
    for label in labels:
        if label not in task.labels:
            raise Invalid(f"the label {_shown(label)} is none of {', '.join(task.labels)}")
    if not labels:
        raise Invalid("the list of accepted labels is empty")
    accepted = [label for label in task.labels if label in labels]
    return accepted[0] if len(accepted) == 1 else accepted


def _answers(value: object) -> list[str]:
    if not isinstance(value, list) or not value:
        raise Invalid(f'"answers" must be a list of at least one text, not {_shown(value)}')
    return [_text("answers", answer) for answer in value]


def _tags(value: object) -> list[str]:
    if not isinstance(value, list) or len(value) > MAX_TAGS:
        raise Invalid(f'"tags" must be a list of at most {MAX_TAGS} names, not {_shown(value)}')
    return sorted({_name("tags", tag, MAX_TAG_CHARACTERS) for tag in value})


def _shown(value: object) -> str:
    """A value as an error may quote it: ASCII, short."""
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

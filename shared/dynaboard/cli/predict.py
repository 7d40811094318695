"""`dynaboard predict`: talk to a model."""

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynaboard.cli import find
from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, SubmissionRef
from dynaboard.cli.output import print_json, say
from dynaboard.errors import Invalid

if TYPE_CHECKING:
    from dynaboard.client import Client
    from dynaboard.schemas import PredictResponse, SubmissionView
    from dynaboard.task_schemas import TaskView


def predict(  # noqa: PLR0913, PLR0917 - one option for each field of the four tasks
    submission: SubmissionRef,
    statement: Annotated[str | None, typer.Option(help="For sentiment.")] = None,
    text: Annotated[str | None, typer.Option(help="For hate-speech.")] = None,
    context: Annotated[str | None, typer.Option(help="For nli and qa.")] = None,
    hypothesis: Annotated[str | None, typer.Option(help="For nli.")] = None,
    question: Annotated[str | None, typer.Option(help="For qa.")] = None,
    as_json: Json = False,
) -> None:
    """Talk to a model.

    Give the fields as options, or JSON on stdin (an example or a list of them), or type them when asked.
    """
    fields = {"statement": statement, "text": text, "context": context, "hypothesis": hypothesis, "question": question}
    given = {name: value for name, value in fields.items() if value is not None}
    with connect() as client:
        view = find.submission(client, submission)
        if not given and sys.stdin.isatty():
            _converse(client, view, as_json)
            return
        response = _ask(client, view, [given] if given else _read_examples(sys.stdin.read()))
    if as_json:
        print_json(response)
    else:
        _print(response)


def _read_examples(text: str) -> list[dict[str, Any]]:
    try:
        read = json.loads(text)
    except ValueError as error:
        raise Invalid(f"stdin holds no JSON ({error}); give an example such as {{'statement': '…'}}.") from None
    examples = read if isinstance(read, list) else [read]
    if not examples or not all(isinstance(example, dict) for example in examples):
        raise Invalid("stdin must hold one JSON object, or a list of them.")
    return examples


def _ask(client: "Client", view: "SubmissionView", examples: list[dict[str, Any]]) -> "PredictResponse":
    """The model's answers, once every example has the fields of its task. Raises Invalid, naming what is missing."""
    task = _task(client, view)
    for example in examples:
        kinds = {name: list if name in task.token_inputs else str for name in task.inputs}
        if set(example) != set(kinds) or not all(isinstance(example[name], kind) for name, kind in kinds.items()):
            inputs = " and ".join(task.inputs)
            raise Invalid(f"{view.name} is a {view.task} model: it needs {inputs}, as text, and no more.")
    return client.submissions.predict(view.id, examples)


def _converse(client: "Client", view: "SubmissionView", as_json: bool) -> None:
    """Ask, answer, ask again, until Ctrl-D."""
    task = _task(client, view)
    say(f"Talking to {view.name} v{view.version}; Ctrl-D ends.")
    while True:
        try:
            typed = {field: _typed(field) for field in task.inputs}
        except EOFError:
            print(file=sys.stderr)
            return
        example = {name: text.split() if name in task.token_inputs else text for name, text in typed.items()}
        response = _ask(client, view, [example])
        if as_json:
            print_json(response)
        else:
            _print(response)


def _task(client: "Client", view: "SubmissionView") -> "TaskView":
    return next(task for task in client.tasks() if task.name == view.task)


def _typed(field: str) -> str:
    print(f"{field}: ", end="", file=sys.stderr, flush=True)  # input() would write its prompt between the answers
    return input()


def _print(response: "PredictResponse") -> None:
    for answer in response.answers:
        print(_line(answer))


def _line(answer: dict[str, Any]) -> str:
    """`positive   positive 0.91  neutral 0.06  negative 0.03`, or the answer with its confidence."""
    said = str(answer.get("label", answer.get("answer", " ".join(answer.get("token_labels", ())))))
    prob = answer.get("prob") or {}
    shares = [f"{label} {share:.2f}" for label, share in sorted(prob.items(), key=lambda item: -item[1])]
    if answer.get("conf") is not None:
        shares.append(f"confidence {answer['conf']:.2f}")
    return "   ".join([said, "  ".join(shares)]).rstrip()

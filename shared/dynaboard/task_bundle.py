"""A task's whole definition as one YAML file, read strictly and refused in sentences that name the place."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import (
    AfterValidator,
    AwareDatetime,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from dynaboard.errors import Invalid
from dynaboard.schemas import Name, Schema, TaskName
from dynaboard.task import AnswerKind, Suite, Task
from dynaboard.task_schemas import TaskSettings, Weight

MOST_BYTES = 256 * 1024
TOO_LONG = f"The definition is longer than {MOST_BYTES // 1024} KiB."
LEAST_LABELS = 2


def _readable(text: str) -> str:
    if any(not character.isprintable() and character not in "\n\t" for character in text):
        raise ValueError("holds control characters; remove them")
    return text


Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300), AfterValidator(_readable)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4_000), AfterValidator(_readable)]
# Of a model's answer and of a dataset's line these names have another meaning.
RESERVED = frozenset({"id", "label", "answer", "answers", "token_labels", "prob", "conf", "tags"})
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
# A blank would divide the labels of tokens, and a column of probabilities is named after each label.
Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]{0,61}$")]
MetricId = Annotated[str, StringConstraints(pattern=r"^[a-z][A-Za-z0-9_.+-]{0,61}$")]


class Part(Schema):
    """A part of a definition; it never changes."""

    model_config = ConfigDict(frozen=True)


class Input(Part):
    """A field of an example that a model sees: a text, or a list of tokens."""

    name: FieldName
    type: Literal["text", "tokens"] = "text"
    description: Text = ""


class AnswerSpec(Part):
    """What a model must answer."""

    kind: AnswerKind
    labels: tuple[Label, ...] = Field((), max_length=1_000, description="label and token-labels: which there are.")
    of: str = Field("", description="span: the input it is a piece of; token-labels: the input of tokens.")


class SuiteSpec(Part):
    """How a suite of perturbations changes examples; `protected` inputs stay as they are."""

    protected: tuple[str, ...] = ()


class Perturbations(Part):
    """The suites that are run; null: this one is not."""

    robustness: SuiteSpec | None = SuiteSpec()
    fairness: SuiteSpec | None = SuiteSpec()


class DatasetSpec(Part):
    """A dataset of the task: what an upload of this name takes for granted."""

    name: Name
    role: Literal["scoring", "standard", "hidden"] = "scoring"
    weight: Weight = Field(1.0, description="Among the datasets that rank, unless the settings say otherwise.")
    licence: Line | None = None
    citation: Text | None = None
    description: Text | None = None
    unlabelled_from: AwareDatetime | None = Field(None, description="When the inputs of a test set are opened.")
    released_from: AwareDatetime | None = Field(None, description="When its labels are released.")
    format: Line | None = None
    mapping: dict[str, Any] = Field({}, description="Where columns map; as `columns` in GET /catalogue.")


class TaskBundle(Part):
    """The whole of a task. Settings that are left out stay as they are on the platform."""

    name: TaskName
    title: Line
    description: Text = ""
    warning: Text = Field("", description="What must be said wherever this task's numbers are shown.")
    fairness_note: Text = Field("", description="What must be said of fairness on this task.")
    inputs: tuple[Input, ...] = Field(min_length=1, max_length=20)
    answer: AnswerSpec
    performance_metric: MetricId
    metrics: tuple[MetricId, ...] = Field((), max_length=100)
    perturbations: Perturbations = Perturbations()
    datasets: tuple[DatasetSpec, ...] = Field((), max_length=200)
    settings: TaskSettings | None = None
    example: dict[str, str | list[str]] = Field(description="An input to try on a model.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for problem in _problems(self):
            raise ValueError(problem)
        return self

    def task(self) -> Task:
        """What running and scoring models needs of it."""
        kind, answer = self.answer.kind, self.answer
        both: dict[Suite, SuiteSpec | None] = {
            "fairness": self.perturbations.fairness,
            "robustness": self.perturbations.robustness,
        }
        suites = {suite: spec for suite, spec in both.items() if spec is not None}
        return Task(
            name=self.name,
            title=self.title,
            inputs=tuple(each.name for each in self.inputs),
            labels=answer.labels if kind == "label" else (),
            performance_metric=self.performance_metric,
            kind=kind,
            of=answer.of,
            token_labels=answer.labels if kind == "token-labels" else (),
            token_inputs=tuple(each.name for each in self.inputs if each.type == "tokens"),
            metrics=self.metrics,
            suites=tuple(suites),
            protected=tuple((suite, name) for suite, spec in suites.items() for name in spec.protected),
            warning=self.warning,
            fairness_note=self.fairness_note,
        )

    def settings_of(self, now: TaskSettings) -> TaskSettings:
        """The settings that it wants, where there are these: weights of datasets may stand beside the datasets."""
        wanted = self.settings or now
        weights = {each.name: each.weight for each in self.datasets if "weight" in each.model_fields_set}
        return (
            wanted.model_copy(update={"dataset_weights": weights | dict(wanted.dataset_weights)}) if weights else wanted
        )


def _problems(bundle: TaskBundle) -> Iterator[str]:
    """What does not fit together, a sentence each."""
    types = {each.name: each.type for each in bundle.inputs}
    if len(types) < len(bundle.inputs):
        yield "inputs: a name occurs twice"
    if reserved := sorted(types.keys() & RESERVED):
        yield f"inputs: {reserved[0]} is a name that answers or datasets use; choose another"
    yield from _of_answer(bundle.answer, types)
    for suite in ("robustness", "fairness"):
        spec: SuiteSpec | None = getattr(bundle.perturbations, suite)
        if strange := sorted(set(spec.protected) - types.keys() if spec else ()):
            yield f"perturbations.{suite}.protected: {strange[0]} is no input; there are {', '.join(types)}"
    if len({bundle.performance_metric, *bundle.metrics}) <= len(bundle.metrics):
        yield "metrics: name each once, and not the performance metric again"
    if len({each.name for each in bundle.datasets}) < len(bundle.datasets):
        yield "datasets: a name occurs twice"
    if bundle.example.keys() != types.keys():
        yield f"example: it must have exactly the inputs {', '.join(types)}"
    for name, value in bundle.example.items():
        if isinstance(value, list) != (types.get(name) == "tokens"):
            yield f"example.{name}: it must be {'a list of tokens' if types.get(name) == 'tokens' else 'a text'}"


def _of_answer(answer: AnswerSpec, types: Mapping[str, str]) -> Iterator[str]:
    kind = answer.kind
    if kind in {"label", "token-labels"}:
        if len(set(answer.labels)) != len(answer.labels) or len(answer.labels) < LEAST_LABELS:
            yield f"answer.labels: an answer of kind {kind} needs at least two labels, each once"
    elif answer.labels:
        yield f"answer.labels: an answer of kind {kind} has no labels; leave them out"
    wanted = {"span": "text", "token-labels": "tokens"}.get(kind)
    if wanted and types.get(answer.of) != wanted:
        yield f"answer.of: name the input of type {wanted} that the answer is about"
    if not wanted and answer.of:
        yield f"answer.of: an answer of kind {kind} is not of one input; leave it out"


def read_bundle(text: str) -> TaskBundle:
    """The definition in a YAML text. Raises Invalid, with a line for each thing that is wrong and where it stands."""
    if len(text) > MOST_BYTES:
        raise Invalid(TOO_LONG)
    try:
        # A few lines of aliases of aliases stand for gigabytes once they are written out, and may hold themselves.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            raise Invalid("The file has YAML aliases (*name); write out what they stand for.")
        document = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        where = getattr(error, "problem_mark", None)
        raise Invalid(f"The file is not YAML{f', line {where.line + 1}' if where else ''}; mend it.") from None
    if not isinstance(document, dict):
        raise Invalid("The file must hold one mapping: name, title, inputs, answer and so on.")
    try:
        return TaskBundle.model_validate(document)
    except ValidationError as error:
        raise Invalid("\n".join(map(_sentence, error.errors()))) from None


def write_bundle(bundle: TaskBundle) -> str:
    """The YAML text of a definition; what is as usual is left out."""
    document = bundle.model_dump(mode="json", exclude_defaults=True)
    return str(yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=110))


def _sentence(problem: ErrorDetails) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]).lstrip(".")
    said = problem["msg"].removeprefix("Value error, ")
    return f"{place}: {said}." if place else f"{said}."

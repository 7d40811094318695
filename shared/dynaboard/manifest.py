"""`dynaboard.yaml`: what a submitter says about a model, read strictly and refused in one sentence."""

import re
from collections import Counter
from typing import Annotated, Any

import yaml
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from dynaboard.errors import Invalid
from dynaboard.schemas import Name

MANIFEST = "dynaboard.yaml"
MANIFEST_BYTES = 64 * 1024
PROPRIETARY = "proprietary"

# What a handler may import besides the standard library: the extras `runtime` and `torch`, and what they bring along.
RUNTIME = (
    "fasttext", "joblib", "numpy", "safetensors", "scikit-learn", "scipy", "tokenizers", "torch", "transformers",
)  # fmt: skip


def _readable(text: str) -> str:
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text):
        raise ValueError("holds invisible control characters; remove them")
    return text


def _licence(text: str) -> str:
    if text.lower() == PROPRIETARY:
        return PROPRIETARY
    try:
        return str(canonicalize_license_expression(text))
    except InvalidLicenseExpression:
        raise ValueError(
            f"{text[:60]!r} is no SPDX licence; write for example MIT, Apache-2.0, LicenseRef-Mine or {PROPRIETARY}"
        ) from None


def _task(text: str) -> str:
    # Which tasks there are, the platform knows that it is sent to.
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", text):
        raise ValueError(f"{text[:60]!r} is no name of a task; write for example sentiment")
    return text


def _requirement(text: str) -> str:
    name = re.sub(r"[-_.]+", "-", text.strip().lower())
    if name not in RUNTIME:
        raise ValueError(f"{text[:60]!r} is not in the runtime; name without version any of {', '.join(RUNTIME)}")
    return name


def _handler(text: str) -> str:
    if not re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)*\.py:[A-Za-z_]\w*", text):
        raise ValueError("must read FILE.py:CLASS, for example handler.py:Handler")
    return text


def _address(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s<>\"']+", text):
        raise ValueError("must be an http or https address")
    return text


Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), AfterValidator(_readable)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=8_000), AfterValidator(_readable)]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$")]
Licence = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_licence)]
Requirement = Annotated[str, StringConstraints(max_length=60), AfterValidator(_requirement)]


class Card(BaseModel):
    """The model card. `parameters` is the number of weights; licence is an SPDX expression or "proprietary"."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    summary: Line
    licence: Licence
    languages: Annotated[tuple[Language, ...], Field(min_length=1, max_length=200)] = ("en",)
    parameters: Annotated[int | None, Field(ge=0, le=10**15)] = None
    training_data: Text = ""
    intended_use: Text = ""
    limitations: Text = ""
    ethics: Text = ""
    source_url: Annotated[str, StringConstraints(max_length=500), AfterValidator(_address)] | None = None
    citation: Text = ""


class Manifest(BaseModel):
    """The whole of `dynaboard.yaml`. Without `handler` it is a prediction-only submission."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    task: Annotated[str, StringConstraints(max_length=60), AfterValidator(_task)]
    handler: Annotated[str, StringConstraints(max_length=200), AfterValidator(_handler)] | None = None
    batch_size: Annotated[int, Field(ge=1, le=1024)] = 32
    requirements: Annotated[tuple[Requirement, ...], Field(max_length=50)] = ()
    card: Card

    @property
    def handler_file(self) -> str:
        """The handler's path inside the archive; empty for a prediction-only submission."""
        return (self.handler or "").partition(":")[0]

    @property
    def handler_class(self) -> str:
        """The handler's class; empty for a prediction-only submission."""
        return (self.handler or "").partition(":")[2]


class _Loader(yaml.BaseLoader):
    """Every scalar stays text, so that neither `no` nor `1.0` nor a tag becomes something else; no key twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = Counter(key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode))
        for key in (key for key, times in keys.items() if times > 1):
            problem = f"the key {key[:60]!r} stands twice"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        return dict(super().construct_mapping(node, deep=deep))


def read_manifest(text: bytes) -> Manifest:
    """The manifest in `text` (UTF-8 YAML, at most 64 KiB). Raises Invalid, naming the field and what to do."""
    if len(text) > MANIFEST_BYTES:
        raise Invalid(f"{MANIFEST} is larger than {MANIFEST_BYTES // 1024} KiB; shorten the card.")
    fields = _mapping(_parse(text), MANIFEST)
    if "card" in fields:
        fields["card"] = _mapping(fields["card"], f"{MANIFEST}: `card`")
    try:
        return Manifest.model_validate(fields)
    except ValidationError as error:
        raise Invalid(_sentence(error.errors(include_url=False, include_context=False)[0])) from None


def _parse(text: bytes) -> object:
    try:
        return yaml.load(text.decode("utf-8"), Loader=_Loader)
    except UnicodeDecodeError:
        raise Invalid(f"{MANIFEST} is not UTF-8 text; save it as UTF-8.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        problem = getattr(error, "problem", None) or "it holds characters YAML does not allow"
        raise Invalid(f"{MANIFEST} is not valid YAML{where}: {problem}.") from None
    except RecursionError:
        raise Invalid(f"{MANIFEST} is nested too deeply; it needs two levels only.") from None


def _mapping(value: object, what: str) -> dict[Any, Any]:
    """`value` without its empty entries, so that `handler:` and `handler: null` mean the same as no such line."""
    if not isinstance(value, dict):
        raise Invalid(f"{what} must be a list of `key: value` lines.")
    return {key: item for key, item in value.items() if item not in ("", "~", "null")}


def _sentence(error: ErrorDetails) -> str:
    field = ".".join(str(part) for part in error["loc"])[:80]
    if error["type"] == "missing":
        return f"{MANIFEST}: `{field}` is missing; add it."
    if error["type"] == "extra_forbidden":
        return f"{MANIFEST}: `{field}` is not a known key; remove it or correct its spelling."
    if error["type"] == "string_pattern_mismatch" and field == "name":
        return f"{MANIFEST}: `name` may hold at most 62 lower-case letters, digits and dashes; a dash is not first."
    if error["type"] == "string_pattern_mismatch":
        return f"{MANIFEST}: `{field}` must be a language code such as en, de or pt-BR."
    problem = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    if problem != error["msg"] and error["type"] != "value_error":
        problem = f"must be {problem}"
    return f"{MANIFEST}: `{field}` {problem[0].lower() + problem[1:]}."

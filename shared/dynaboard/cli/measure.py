"""`dynaboard measure`: what a model costs on this machine, beside another one or the built-in reference."""

import json
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynaboard.cli.check import TaskFile, defined_task
from dynaboard.cli.cost_report import costs_table, document, hardware_line, remarks, sentence
from dynaboard.cli.options import FolderOrArchive, Json
from dynaboard.cli.output import print_json, print_table, say
from dynaboard.cli.package import Packed, packed
from dynaboard.errors import Invalid, PlatformFailure

if TYPE_CHECKING:
    from dynaboard.manifest import Manifest
    from dynaboard.measurement.duel import Duel, Entrant
    from dynaboard.nlp_tasks import Task

Against = Annotated[
    Path | None,
    typer.Option("--against", metavar="FOLDER", exists=True, help="The other model; left out: the built-in reference."),
]
ProfileName = Annotated[
    str, typer.Option("--profile", metavar="NAME", help="quick (seconds), standard (a minute or two) or full.")
]
ExamplesFile = Annotated[
    Path | None,
    typer.Option(
        "--examples", metavar="FILE", exists=True, dir_okay=False, help="JSON lines; left out: built-in texts."
    ),
]


def measure(
    folder: FolderOrArchive,
    against: Against = None,
    profile: ProfileName = "standard",
    examples: ExamplesFile = None,
    task_file: TaskFile = None,
    as_json: Json = False,
) -> None:
    """Measure what a model costs on this machine: speed, latency, memory.

    Both models run in turns, as on the server, so that what slows the machine down slows both.
    """
    wanted = Wanted(profile, examples, as_json)
    with ExitStack() as stack:
        sources = [folder, *([against] if against else [])]
        archives = [stack.enter_context(packed(source)) for source in sources]
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dynaboard-")))
        task = _task([archive.contents.manifest for archive in archives], task_file)
        _print(_run(_unpacked(archives, sources, scratch), task, wanted, scratch), wanted)


@dataclass(frozen=True)
class Wanted:
    """The options: how long, on which examples, and how to print it."""

    profile: str
    file: Path | None
    as_json: bool


def _print(found: "Duel", wanted: Wanted) -> None:
    from dynaboard.measurement.canary import UNTRIED, drift
    from dynaboard.measurement.hardware import hardware_profile

    extra = ["unsandboxed"] if any(costs.sandbox != "bubblewrap" for costs in found.sides) else []
    extra += ["drifted"] if abs(drift(found.after, found.before)) > UNTRIED else []
    if wanted.as_json:
        print_json(document(found, extra, hardware_profile(), str(wanted.file) if wanted.file else "built-in"))
        return
    print(f"{sentence(found)}\n")
    print_table(costs_table(found.sides))
    print("".join(f"\n{line}" for line in (*remarks(found, extra), hardware_line(hardware_profile()))))


def _task(manifests: list["Manifest"], task_file: Path | None) -> "Task":
    """The task of all of these. Raises Invalid for predictions, which do not run, and for models of two tasks."""
    for manifest in manifests:
        if manifest.handler is None:
            raise Invalid(f"{manifest.name} is a set of predictions; only a model that runs can be measured.")
    if len({manifest.task for manifest in manifests}) > 1:
        raise Invalid(
            f"{manifests[0].name} is a model for {manifests[0].task}, {manifests[1].name} for {manifests[1].task}; "
            "only models of one task can be compared."
        )
    return defined_task(manifests[0].task, task_file)


def _run(entrants: list["Entrant"], task: "Task", wanted: Wanted, scratch: Path) -> "Duel":
    """Measure the models. Raises PlatformFailure when this machine cannot run any."""
    from dynaboard.measurement.duel import Terms, duel
    from dynaboard.measurement.profiles import PROFILES
    from dynaboard.measurement.texts import texts

    if wanted.profile not in PROFILES:
        raise typer.BadParameter(f"There is no profile '{wanted.profile}'; choose one of {', '.join(PROFILES)}.")
    asked = _examples(wanted.file, task) if wanted.file else texts(task)
    on_step = _quietly if wanted.as_json else _aloud
    return duel(entrants, Terms(task, asked, PROFILES[wanted.profile], on_step), scratch)


def _unpacked(archives: list[Packed], sources: list[Path], scratch: Path) -> list["Entrant"]:
    """Unpack the models as the server does; those of the same name are told apart by where they lie.

    Raises PlatformFailure when this machine cannot run models.
    """
    from dynaboard import archive

    try:
        from dynaboard.measurement.duel import Entrant
    except ImportError as error:
        raise PlatformFailure(
            f"To run models here, install the runtime: pip install 'dynaboard[runtime]' ({error.name} is missing)."
        ) from None

    named = [packed_one.contents.manifest.name for packed_one in archives]
    names = named if len(set(named)) == len(named) else [str(source) for source in sources]
    entrants = []
    for number, (packed_one, name) in enumerate(zip(archives, names, strict=True)):
        model_dir = scratch / f"model-{number}"
        model_dir.mkdir()
        with packed_one.path.open("rb") as file:
            manifest = archive.extract(file, model_dir).manifest
        entrants.append(Entrant(name, model_dir, manifest.handler or "", manifest.batch_size))
    return entrants


def _examples(file: Path, task: "Task") -> list[dict[str, Any]]:
    """The examples in a file of JSON lines; an `id` is made where there is none. Raises Invalid, naming the line."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            found.append(_example(line, number, task))
    if not found:
        raise Invalid(f"{file} holds no examples.")
    return found


def _example(line: str, number: int, task: "Task") -> dict[str, Any]:
    try:
        example = json.loads(line)
    except ValueError:
        raise Invalid(f"Line {number} of the examples is not JSON; write one object a line.") from None
    kinds = {field: list if field in task.token_inputs else str for field in task.inputs}
    if not isinstance(example, dict) or not all(isinstance(example.get(field), kind) for field, kind in kinds.items()):
        described = ", ".join(f"{field} (a {'text' if kind is str else 'list'})" for field, kind in kinds.items())
        raise Invalid(f"Line {number} of the examples needs the fields {described}.")
    return {**{field: example[field] for field in task.inputs}, "id": f"example-{number}"}


def _aloud(step: str) -> None:
    say(f"{step} …")


def _quietly(step: str) -> None:
    """Nothing but JSON."""

"""`dynaboard check`: what the server would say, said here."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynaboard.cli.options import FolderOrArchive, Json
from dynaboard.cli.output import print_json, say, size
from dynaboard.cli.package import Packed, packed
from dynaboard.errors import Invalid, PlatformFailure

if TYPE_CHECKING:
    from dynaboard.runtime import Trial
    from dynaboard.task import Task

TaskFile = Annotated[
    Path | None,
    typer.Option("--task-file", metavar="FILE", exists=True, dir_okay=False, help="The definition of the task."),
]

SANDBOXES = {
    "bubblewrap": "Ran in bubblewrap, as on the server.",
    "limits": "Ran without a sandbox, because bubblewrap does not work here: the same limits, but nothing fenced off.",
}


def check(folder: FolderOrArchive, task_file: TaskFile = None, as_json: Json = False) -> None:
    """Run a model here as the server would, and say what it would say.

    The same sandbox, limits and contract; nothing is sent. Exit code 1 when the model would be refused.
    """
    try:
        with packed(folder) as archive:
            report = _report(archive, task_file, as_json)
    except Invalid as refusal:
        report = {"ok": False, "sentence": refusal.detail, "trial": None}
    if as_json:
        print_json(report)
    else:
        _print(report)
    if not report["ok"]:
        raise typer.Exit(1)


def _report(archive: Packed, task_file: Path | None, quiet: bool) -> dict[str, Any]:
    manifest, contents = archive.contents.manifest, archive.contents
    task = defined_task(manifest.task, task_file)
    report = {
        "ok": True,
        "sentence": "The archive is as the server wants it.",
        "name": manifest.name,
        "task": manifest.task,
        "kind": contents.kind,
        "files": len(contents.entries),
        "size": contents.size,
        "sha256": archive.sha256,
        "trial": None,
    }
    if contents.kind == "predictions":
        return report
    if not quiet:
        say(f"{manifest.name}: {len(contents.entries)} files, {size(contents.size)}; starting the model …")
    tried = _try(archive, task)
    return report | {
        "ok": tried.ok,
        "sentence": tried.sentence,
        "trial": {
            "sandbox": tried.sandbox,
            "cold_start_seconds": tried.cold_start_s,
            "seconds": tried.seconds,
            "log": tried.log,
        },
    }


def defined_task(name: str, file: Path | None) -> "Task":
    """The task that a manifest names: of a file, or one that comes with Dynaboard. Raises Invalid."""
    from dynaboard.nlp_tasks import TASKS
    from dynaboard.task_bundle import read_bundle

    known = {bundle.name: bundle.task() for bundle in [read_bundle(file.read_text("utf-8"))]} if file else TASKS
    if name not in known:
        raise Invalid(
            f"dynaboard.yaml names the task {name}, here there are {', '.join(known)}; give the definition of another "
            f"one with --task-file, as `dynaboard task show {name}` prints it."
        )
    return known[name]


def _try(packed_archive: Packed, task: "Task") -> "Trial":
    """Unpack the archive as the server does and run it. Raises PlatformFailure when this machine cannot run models."""
    from dynaboard import archive

    try:
        from dynaboard.runtime import Limits, trial
    except ImportError as error:
        raise PlatformFailure(
            f"To run models here, install the runtime: pip install 'dynaboard[runtime]' ({error.name} is missing)."
        ) from None
    with tempfile.TemporaryDirectory(prefix="dynaboard-") as scratch:
        model_dir = Path(scratch) / "model"
        model_dir.mkdir()
        with packed_archive.path.open("rb") as file:
            manifest = archive.extract(file, model_dir).manifest
        handler = manifest.handler or ""
        return trial(model_dir, task, handler, manifest.batch_size, Limits(), Path(scratch) / "run")


def _print(report: dict[str, Any]) -> None:
    tried = report["trial"]
    if not report["ok"] and tried and tried["log"].strip():
        print(f"What the model printed:\n{tried['log'].rstrip()}\n")
    if report["ok"]:
        print(report["sentence"])
    else:
        say(f"Refused: {report['sentence']}")
    if tried:
        ready = f"Ready after {tried['cold_start_seconds']:.1f} s. " if tried["cold_start_seconds"] else ""
        print(f"{ready}{SANDBOXES.get(tried['sandbox'], tried['sandbox'])}")

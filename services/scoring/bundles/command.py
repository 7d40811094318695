"""`dynaboard verify` and `dynaboard rerun`: a bundle's numbers again, on this machine. Verbs by plug."""

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynaboard.cli.options import Json
from dynaboard.cli.output import print_json, say
from dynaboard.cli.package import packed
from dynaboard.errors import Invalid, PlatformFailure, readable

if TYPE_CHECKING:
    from services.scoring.bundles.repeating import Repetition
    from services.scoring.bundles.verification import Verification

Bundle = Annotated[Path, typer.Argument(metavar="BUNDLE", exists=True, dir_okay=False, help="A bundle.")]
Key = Annotated[
    str | None,
    typer.Option("--key", help="The installation's public key: text of GET /api/v1/signing-key, or its fingerprint."),
]
Datasets = Annotated[
    list[Path] | None,
    typer.Option(
        "--dataset", exists=True, help="A dataset that may not be handed out, if you have it. May be repeated."
    ),
]


def verify(bundle: Bundle, key: Key = None, dataset: Datasets = None, as_json: Json = False) -> None:
    """Check that not a byte of a bundle has changed, and compute its numbers again, offline.

    Names the first number that is not what its predictions give. Exit code 1 when there is one.
    """
    found = _verification(bundle, dataset or [])
    expected = key is None or key in {found.key.text, found.key.fingerprint}
    if not expected:
        raise Invalid(f"The bundle is signed by {found.key.fingerprint}, not by the key you named: do not trust it.")
    if as_json:
        print_json(_report(found))
    else:
        _print(found, known=key is not None)
    if not found.ok:
        raise typer.Exit(1)


Model = Annotated[
    Path,
    typer.Option("--model", exists=True, help="The model's archive or folder, whose sha256 the bundle names."),
]
Trusted = Annotated[
    bool, typer.Option("--trusted", help="Run the model also where no sandbox is installed: you know what it does.")
]
NO_SANDBOX = "There is no sandbox here to run a stranger's model in; install bubblewrap, or say --trusted."


def rerun(
    bundle: Bundle, model: Model, dataset: Datasets = None, trusted: Trusted = False, as_json: Json = False
) -> None:
    """Do a bundle's evaluation again on this machine: the same model, the same texts; compare answers and numbers.

    Exit code 1 when an answer or a number is another.
    """
    if not trusted:
        _need_sandbox()
    found = _repetition(bundle, model, dataset or [], quiet=as_json)
    different = [f"{one.title}: {one.difference}" for one in found.numbers if one.difference]
    if as_json:
        print_json(asdict(found) | {"same": found.same and not different})
    else:
        _print_repetition(found, different)
    if different or not found.same:
        raise typer.Exit(1)


def _need_sandbox() -> None:
    """Raise PlatformFailure where models would run as their user does, with the user's files and network."""
    try:
        from dynaboard.runtime.sandbox import sandbox_kind
    except ImportError as error:
        raise _to_repeat(error) from None
    if sandbox_kind() != "bubblewrap":
        raise PlatformFailure(NO_SANDBOX)


def _to_repeat(error: ImportError) -> PlatformFailure:
    return PlatformFailure(
        f"To repeat evaluations, pip install 'dynaboard[scoring,runtime]' ({error.name} is missing)."
    )


def _repetition(bundle: Path, model: Path, datasets: list[Path], quiet: bool) -> "Repetition":
    try:
        from services.scoring.bundles.repeating import repeat
        from services.scoring.bundles.unpacking import add_datasets, unpack
    except ImportError as error:
        raise _to_repeat(error) from None
    with TemporaryDirectory(prefix="dynaboard-rerun-") as scratch, packed(model) as archive:
        folder = Path(scratch) / "bundle"
        folder.mkdir()
        unpacked = unpack(bundle, folder)
        stated = unpacked.document.model
        if stated is None:
            raise Invalid("This is the bundle of a leaderboard; only that of a submission can be repeated.")
        if archive.sha256 != stated.digest:
            raise Invalid(
                f"The bundle is about the archive {stated.digest[:16]}…, and this one is {archive.sha256[:16]}…."
            )
        add_datasets(unpacked, datasets)
        return repeat(unpacked, archive.path, Path(scratch), _quietly if quiet else _remark)


def _quietly(step: str) -> None:
    """With --json nothing else is printed."""


def _remark(step: str) -> None:
    say(readable(step))


def _tell(line: str) -> None:
    """What a stranger's bundle says of itself must not speak to the terminal, or hide a difference from the reader."""
    print(readable(line))


def _print_repetition(found: "Repetition", different: list[str]) -> None:
    for one in found.evaluations:
        others = f"; others at {', '.join(map(str, one.different))}" if one.different else ""
        _tell(f"{one.title}: {one.same} of {one.examples} answers are the same{others}.")
    for title, reason in found.withheld.items():
        _tell(f"{title}: not repeated: {reason}.")
    again = sum(1 for one in found.numbers if not one.withheld and not one.difference)
    _tell(f"{again} numbers came out again as stated (sandbox: {found.sandbox}).")
    for line in different:
        _tell(f"DIFFERENT: {line}.")


def _verification(bundle: Path, datasets: list[Path]) -> "Verification":
    try:
        from services.scoring.bundles.verification import verify as verification
    except ImportError as error:
        raise Invalid(f"To verify bundles, pip install 'dynaboard[scoring]' ({error.name} is missing).") from None
    return verification(bundle, datasets)


def _report(found: "Verification") -> dict[str, Any]:
    return {
        "ok": found.ok,
        "kind": found.document.kind,
        "key": found.key.text,
        "fingerprint": found.key.fingerprint,
        "made_at": found.document.made_at.isoformat(),
        "made_with": found.document.made_with,
        "recomputed": found.recomputed,
        "withheld": found.withheld,
        "difference": found.difference,
    }


def _print(found: "Verification", known: bool) -> None:
    document, task = found.document, found.document.task.get("name")
    whose = "the key you named" if known else "compare it with GET /api/v1/signing-key of where it was made"
    about = f"{document.model.name} v{document.model.version}" if document.model else f"snapshot {document.snapshot}"
    made = ", ".join(f"{name} {version}" for name, version in document.made_with.items())
    _tell(f"Signed by {found.key.fingerprint} ({whose}); not a byte has changed.")
    _tell(f"{about}, task {task}, bundled {document.made_at:%Y-%m-%d %H:%M} UTC with {made}.")
    if found.difference:
        _tell(f"DIFFERENT: {found.difference}.")
        return
    _tell(f"{found.recomputed} numbers computed again, all as stated.")
    for reason, count in found.withheld.items():
        _tell(f"{count} not computed: {reason}.")

"""`dynaboard verify`: every number of a bundle, computed again on this machine. A verb of the command line by plug."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynaboard.cli.options import Json
from dynaboard.cli.output import print_json
from dynaboard.errors import Invalid

if TYPE_CHECKING:
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
    print(f"Signed by {found.key.fingerprint} ({whose}); not a byte has changed.")
    print(f"{about}, task {task}, bundled {document.made_at:%Y-%m-%d %H:%M} UTC with {made}.")
    if found.difference:
        print(f"DIFFERENT: {found.difference}.")
        return
    print(f"{found.recomputed} numbers computed again, all as stated.")
    for reason, count in found.withheld.items():
        print(f"{count} not computed: {reason}.")

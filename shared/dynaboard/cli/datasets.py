"""`dynaboard datasets`: which there are, and new ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynaboard.cli import find
from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, OptionalTask, task_name, validated
from dynaboard.cli.output import print_json, print_table, table

if TYPE_CHECKING:
    from dynaboard.schemas import DatasetView, PerturbationPreview

DatasetRef = Annotated[str, typer.Argument(metavar="DATASET", help="An id, the beginning of one, or a name.")]
Opens = Annotated[
    str | None, typer.Option(metavar="TIME", help="When its inputs are opened, such as 2026-05-03T12:00:00Z.")
]
Releases = Annotated[str | None, typer.Option(metavar="TIME", help="When its labels are released and it is scored.")]
app = typer.Typer(no_args_is_help=True, help="List, add and look into datasets.")


@app.command("list")
def list_datasets(task: OptionalTask = None, as_json: Json = False) -> None:
    """List the datasets that models are evaluated on."""
    with connect() as client:
        views = client.datasets.all(task and task_name(task))
    if as_json:
        print_json(views)
        return
    made = table("id", "dataset", "version", "task", "role", "examples", "licence", right=("version", "examples"))
    for view in views:
        name, version, count = view.name, str(view.version), f"{view.examples:,}"
        made.add_row(view.id[: find.SHOWN], name, version, view.task, view.role, count, view.licence)
    print_table(made)


@app.command()
def add(  # noqa: PLR0913, PLR0917 - each is something the platform must know of a dataset
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The examples.")],
    catalogue: Annotated[
        str | None, typer.Option(metavar="NAME", help="An entry of the catalogue, which says the rest.")
    ] = None,
    task: OptionalTask = None,
    name: Annotated[str | None, typer.Option(help="Small letters, digits and hyphens.")] = None,
    role: Annotated[
        str | None, typer.Option(metavar="ROLE", help="scoring (ranked), standard (reported) or hidden.")
    ] = None,
    licence: Annotated[str | None, typer.Option(help="For example CC-BY-4.0.")] = None,
    citation: Annotated[str | None, typer.Option(help="Whom to cite.")] = None,
    description: Annotated[str | None, typer.Option(help="What it is.")] = None,
    file_format: Annotated[str | None, typer.Option("--format", help="jsonl, csv, tsv, squad …")] = None,
    mapping: Annotated[str | None, typer.Option(metavar="JSON", help="Which column is what.")] = None,
    opens: Opens = None,
    releases: Releases = None,
    hold: Annotated[bool, typer.Option("--hold", help="Do not run old models on it before `backfill start`.")] = False,
    as_json: Json = False,
) -> None:
    """Add a dataset, on which every model of its task is evaluated, old ones too (task owners)."""
    words = {"catalogue": catalogue, "task": task and task_name(task), "name": name, "role": role, "licence": licence}
    words |= {"citation": citation, "description": description, "mapping": mapping}
    words |= {"unlabelled_from": opens, "released_from": releases}
    suffix = file.suffix.removeprefix(".")
    words["format"] = file_format or (None if catalogue or suffix == "json" else suffix)
    words["hold"] = "true" if hold else None
    with connect() as client:
        view = client.datasets.add(file, {key: value for key, value in words.items() if value})
    if as_json:
        print_json(view)
    else:
        print(f"{view.name} v{view.version} ({view.task}, {view.role}): {view.examples:,} examples.")
        print("".join(f"{line}\n" for line in _remarks(view, hold)), end="")


@app.command()
def change(
    dataset: DatasetRef,
    role: Annotated[str | None, typer.Option(metavar="ROLE", help="scoring, standard or hidden.")] = None,
    active: Annotated[bool | None, typer.Option("--active/--inactive", help="Whether models are run on it.")] = None,
    opens: Opens = None,
    releases: Releases = None,
    as_json: Json = False,
) -> None:
    """Change what a dataset counts for, or its dates (task owners)."""
    from dynaboard.schemas import DatasetChange

    given = {"role": role, "active": active, "unlabelled_from": opens, "released_from": releases}
    wanted = validated(DatasetChange, **{name: value for name, value in given.items() if value is not None})
    with connect() as client:
        view = client.datasets.change(find.dataset(client, dataset).id, wanted)
    if as_json:
        print_json(view)
    else:
        print(f"{view.name} v{view.version}: {view.role}, {'active' if view.active else 'inactive'}, {view.phase}.")


@app.command()
def inputs(dataset: DatasetRef, as_json: Json = False) -> None:
    """Print all inputs of a test set that has dates; predictions name the same ids.

    One JSON object a line, with and without --json.
    """
    with connect() as client:
        lines = client.datasets.inputs(find.dataset(client, dataset).id)
    print("\n".join(lines))


@app.command()
def sample(
    dataset: DatasetRef,
    as_json: Json = False,
) -> None:
    """Show a few examples of a dataset, as a model sees them."""
    with connect() as client:
        examples = client.datasets.sample(find.dataset(client, dataset).id)
    if as_json:
        print_json(examples)
    else:
        _print_mappings(examples)


@app.command()
def preview(
    dataset: DatasetRef,
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="fairness or robustness.")],
    limit: Annotated[int, typer.Option(min=1, max=20, help="How many examples.")] = 3,
    as_json: Json = False,
) -> None:
    """Show examples of a dataset beside their perturbed variants, each edit as [old → new]."""
    with connect() as client:
        examples = client.datasets.perturbations(find.dataset(client, dataset).id, suite, limit)
    if as_json:
        print_json(examples)
    else:
        print("\n\n".join(map(_previewed, examples)))


@app.command()
def catalogue(task: OptionalTask = None, as_json: Json = False) -> None:
    """List the datasets the platform knows how to read, and where to get them."""
    with connect() as client:
        entries = client.datasets.catalogue(task and task_name(task))
    if as_json:
        print_json(entries)
    else:
        _print_mappings(entries)


def _remarks(view: "DatasetView", hold: bool) -> Iterator[str]:
    """What occurs twice, what other datasets have too, and what old models will take."""
    if view.repeats is not None and view.repeats.near:
        yield f"{view.repeats.near:,} examples occur twice ({view.repeats.exact:,} to the letter)."
    for other in view.repeats.overlaps if view.repeats is not None else ():
        yield f"{other.near:,} examples are in {other.dataset} v{other.version} ({other.phase}) too."
    if view.backfill is not None:
        yield f"Old models: {view.backfill}{', when you say `dynaboard backfill start`' if hold else ''}."


def _previewed(example: "PerturbationPreview") -> str:
    """The original's fields, then a line for each changed field of each variant."""
    lines = [f"{field}: {text}" for field, text in example.original.items()]
    for variant in example.variants:
        name = f"{variant.kind} {variant.group}".strip()
        for field, pieces in variant.fields.items():
            marked = (f"[{each.original} → {each.variant}]" if each.edited else each.original for each in pieces)
            lines.append(f"  {name}, {field}: {''.join(marked)}")
    return "\n".join(lines)


def _print_mappings(items: list[dict[str, Any]]) -> None:
    """Each as a block of `key: value` lines."""
    for item in items:
        print("\n".join(f"{key}: {value}" for key, value in item.items()), end="\n\n")

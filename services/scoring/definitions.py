"""Definitions of tasks: what one would change, and a new version of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.definition_schemas import DefinitionApplied, DefinitionView
from dynaboard.errors import Conflict, Invalid, NotFound
from dynaboard.identity import Caller, Role, require
from dynaboard.tables import Dataset, Model, TaskDefinition
from dynaboard.task_bundle import MOST_BYTES, TOO_LONG, TaskBundle
from dynaboard.task_registry import find_definition
from dynaboard.task_schemas import SettingsChange
from services.scoring import boards
from services.scoring.hidden_names import bundle_without, names_to_hide, settings_without
from services.scoring.metrics import metrics_of
from services.scoring.query import METRIC_NAMES
from services.scoring.task_settings import PAPER_SETTINGS, append, check, settings_in_force

Before = tuple[int, TaskBundle | None]


def definition_view(db: Session, name: str, caller: Caller) -> DefinitionView:
    """The definition that counts, as far as the caller may know it. Raises NotFound."""
    version, bundle = find_definition(db, name)
    row = db.scalars(select(TaskDefinition).filter_by(task=name, version=version)).one_or_none()
    hide = names_to_hide(db, bundle, caller)
    settings = settings_without(settings_in_force(db, bundle.task()).settings, hide)
    return DefinitionView(
        version=version,
        definition=bundle_without(bundle, hide).model_copy(update={"settings": settings}),
        created_by=row.created_by if row else None,
        created_at=row.created_at if row else None,
    )


def apply(db: Session, name: str, wanted: TaskBundle, caller: Caller, dry_run: bool) -> DefinitionApplied:
    """Create the task or change it, its settings too, and record the board that results; or only say what would change.

    Raises Forbidden, Invalid for what this installation cannot run, and Conflict for a change of what a model of the
    task gets or answers while it has datasets or models: they would no longer fit.
    """
    require(caller, Role.TASK_OWNER)
    if wanted.name != name:
        raise Invalid(f"The definition is of '{wanted.name}', but it was sent to '{name}'.")
    if len(wanted.model_dump_json()) > MOST_BYTES:
        raise Invalid(TOO_LONG)
    task = wanted.task()
    metrics_of(task)
    boards.lock(db, task)
    before = _before(db, name)
    old_settings = settings_in_force(db, task) if before[1] else PAPER_SETTINGS
    settings = wanted.settings_of(old_settings.settings)
    _check_settings(db, wanted, settings)
    _check_schema(db, before[1], wanted)
    kept = wanted.model_copy(update={"settings": None})
    changes = [] if before[1] is None else list(_changes("", _plain(before[1]), _plain(kept)))
    changes += _changes("settings", old_settings.settings.model_dump(mode="json"), settings.model_dump(mode="json"))
    created, version = before[1] is None, before[0]
    if not dry_run:
        if created or before[1] != kept:
            version = _append(db, kept, before[0], caller)
        append(db, task, SettingsChange.model_validate(settings.model_dump()), caller.name)
        if created or changes:
            boards.record(db, task)
    return DefinitionApplied(
        task=name,
        version=version,
        settings_version=settings_in_force(db, task).version or 0,
        created=created,
        changes=[f"{name} is a new task.", *changes] if created else changes,
        applied=not dry_run,
    )


def _before(db: Session, name: str) -> Before:
    try:
        return find_definition(db, name)
    except NotFound:
        return 0, None


def _append(db: Session, bundle: TaskBundle, newest: int, caller: Caller) -> int:
    document = bundle.model_dump(mode="json", exclude_defaults=True)
    db.add(TaskDefinition(task=bundle.name, version=newest + 1, definition=document, created_by=caller.name))
    db.flush()
    return newest + 1


def _check_settings(db: Session, wanted: TaskBundle, settings: Any) -> None:
    """Against the datasets of the platform and those that the definition names, which may come later."""
    known = select(Dataset.name, Dataset.role).where(Dataset.task == wanted.name, Dataset.active)
    roles = {each.name: each.role for each in wanted.datasets} | {row.name: row.role for row in db.execute(known)}
    scoring = [name for name, role in roles.items() if role == "scoring"]
    check(settings, METRIC_NAMES, scoring, roles)


def _check_schema(db: Session, before: TaskBundle | None, wanted: TaskBundle) -> None:
    if before is None or _schema(before) == _schema(wanted):
        return
    for table, what in ((Dataset, "datasets"), (Model, "models")):
        if db.scalar(select(table.id).where(table.task == wanted.name).limit(1)):
            raise Conflict(
                f"The task {wanted.name} has {what} that fit its inputs and answers as they are; "
                "give a task with other inputs or answers another name."
            )


def _schema(bundle: TaskBundle) -> object:
    return {each.name: each.type for each in bundle.inputs}, bundle.answer


def _plain(bundle: TaskBundle) -> dict[str, Any]:
    return bundle.model_dump(mode="json", exclude={"settings"})


def _changes(place: str, before: Any, after: Any) -> Iterator[str]:
    """What differs, by its place in the file."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in [*before, *(name for name in after if name not in before)]:
            yield from _changes(f"{place}.{name}".lstrip("."), before.get(name), after.get(name))
    elif before != after:
        yield f"{place}: {_shown(before)} → {_shown(after)}"


def _shown(value: Any) -> str:
    text = "nothing" if value in (None, "", [], {}) else str(value)
    return text if len(text) <= 200 else f"{text[:199]}…"

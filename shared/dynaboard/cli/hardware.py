"""`dynaboard hardware`: the machines that costs were measured on."""

from typing import TYPE_CHECKING

from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, OptionalTask, task_name
from dynaboard.cli.output import print_json, print_table, table

if TYPE_CHECKING:
    from dynaboard.hardware_schemas import CanaryView, HardwareView, RatingView

GIB = 2**30


def hardware(task: OptionalTask = None, as_json: Json = False) -> None:
    """List the machines that costs were measured on; costs are ranked only within one."""
    with connect() as client:
        views = client.hardware(task and task_name(task))
    if as_json:
        print_json(views)
        return
    made = table("profile", "models", "machine", "reference, examples/s", "canary", right=("models",))
    for view in views:
        rated = "; ".join(map(_rating, view.ratings))
        made.add_row(view.fingerprint, str(view.models), _machine(view), rated, _canary(view.canary))
    print_table(made)


def _machine(view: "HardwareView") -> str:
    described = view.description
    limits = described.get("limits", {})
    parts = [
        str(described.get("cpu", "")),
        f"{described.get('cores', '?')} cores",
        f"{described.get('memory_gib', '?')} GiB",
    ]
    if limits:
        parts.append(f"{limits['threads']} thread(s) and {limits['memory_bytes'] / GIB:g} GiB a model")
    return ", ".join([*parts, *described.get("gpus", ())])


def _rating(rating: "RatingView") -> str:
    return f"{rating.value:,.0f} [{rating.low:,.0f}, {rating.high:,.0f}] ({rating.protocol_version})"


def _canary(canary: "CanaryView | None") -> str:
    if canary is None:
        return ""
    drift = f"{canary.drift:+.1%} of ±{canary.limit:.0%} on {canary.measured_at:%Y-%m-%d}"
    return f"steady, {drift}" if canary.steady else f"drifted, {drift}"

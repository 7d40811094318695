"""From what a person types to a submission, a model or a dataset: an id, the beginning of one, or a name."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from dynaboard.errors import Invalid, NotFound

if TYPE_CHECKING:
    from dynaboard.client import Client
    from dynaboard.schemas import DatasetView, ModelView, SubmissionView

FULL_ID = re.compile(r"[0-9a-f]{32}")
SHORTEST = 4
SHOWN = 8


class Named(Protocol):
    """What has an id and a name."""

    id: str
    name: str
    task: str


Thing = TypeVar("Thing", bound=Named)


def submission(client: "Client", text: str) -> "SubmissionView":
    """Any submission by its whole id; one of yours by the beginning of its id or its model's name (the newest)."""
    if FULL_ID.fullmatch(text):
        return client.submissions.get(text)
    return pick(text, client.submissions.mine(), "submission", "dynaboard status")


def newest(client: "Client") -> "SubmissionView":
    """What you submitted last. Raises NotFound when there is nothing."""
    mine = client.submissions.mine()
    if not mine:
        raise NotFound("You have submitted nothing yet; start with `dynaboard init`.")
    return mine[0]


def model(client: "Client", text: str) -> "ModelView":
    """A model you may see."""
    if FULL_ID.fullmatch(text):
        return client.models.get(text)
    return client.models.get(pick(text, client.models.all(), "model", "dynaboard models list").id)


def dataset(client: "Client", text: str) -> "DatasetView":
    """A dataset; by name its newest version."""
    newest_first = sorted(client.datasets.all(), key=lambda view: -view.version)
    return pick(text, newest_first, "dataset", "dynaboard datasets list")


def pick(text: str, things: Sequence[Thing], noun: str, listing: str) -> Thing:
    """The thing meant by `text`; of several with one name and task, the first.

    Raises NotFound, or Invalid when it could be more than one.
    """
    found = [thing for thing in things if text in (thing.name, thing.id)]
    if not found and len(text) >= SHORTEST:
        found = [thing for thing in things if thing.id.startswith(text)]
    if not found:
        raise NotFound(f"There is no {noun} '{text}' here; `{listing}` shows what there is.")
    if len({(thing.name, thing.task) if thing.name == text else thing.id for thing in found}) > 1:
        meant = ", ".join(f"{thing.id[:SHOWN]} ({thing.task})" for thing in found[:5])
        raise Invalid(f"'{text}' may mean more than one {noun}: {meant}; name one of these ids.")
    return found[0]

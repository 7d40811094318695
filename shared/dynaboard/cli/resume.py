"""Uploads that were interrupted: which submission an archive belongs to, remembered on this machine."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from dynaboard.errors import Forbidden, NotFound

if TYPE_CHECKING:
    from dynaboard.client import Client


def _file(sha256: str) -> Path:
    from platformdirs import user_state_path

    return user_state_path("dynaboard", appauthor=False) / "uploads" / f"{sha256}.json"


def remember(url: str, sha256: str, submission_id: str) -> None:
    """Note that the archive with this digest is on its way to this submission."""
    file = _file(sha256)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.write_text(json.dumps({"url": url, "submission_id": submission_id}), encoding="utf-8")


def forget(sha256: str) -> None:
    """The upload is complete, or lost."""
    _file(sha256).unlink(missing_ok=True)


def recall(client: "Client", sha256: str) -> str | None:
    """The submission that still waits for this archive, if there is one on this server and for this key."""
    try:
        note = json.loads(_file(sha256).read_text(encoding="utf-8"))
        if note["url"] != client.url:
            return None
        waiting = client.submissions.get(note["submission_id"])
    except (FileNotFoundError, ValueError, KeyError, TypeError, NotFound, Forbidden):
        return None
    return waiting.id if waiting.status == "submitting" else None

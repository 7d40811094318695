"""Submissions: hand one in, follow it, stop it, ask it."""

from collections.abc import Sequence
from pathlib import Path

import httpx

from dynaboard import archive
from dynaboard.client.answers import reaching
from dynaboard.client.connection import Connection
from dynaboard.client.download import OnProgress as OnReceived
from dynaboard.client.download import save
from dynaboard.client.upload import OnProgress, upload_archive
from dynaboard.leaderboard_schemas import ScoreView
from dynaboard.schemas import PredictRequest, PredictResponse, SubmissionCreate, SubmissionCreated, SubmissionView

# The model may have to be started first.
PREDICT_TIMEOUT = httpx.Timeout(300.0, connect=5.0)

MOST = 200


class Submissions:
    """`client.submissions`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def submit(
        self, path: Path, publish: bool = False, anonymous: bool = False, on_progress: OnProgress | None = None
    ) -> SubmissionView:
        """Check, announce and upload the archive at `path`. Raises Invalid, before a byte is sent, if it is refused."""
        with path.open("rb") as file:
            manifest = archive.check(file).manifest
        created = self.create(
            SubmissionCreate(
                task=manifest.task,
                name=manifest.name,
                size=path.stat().st_size,
                sha256=None,
                publish=publish,
                anonymous=anonymous,
            )
        )
        return self.upload(created.id, path, on_progress)

    def create(self, announced: SubmissionCreate) -> SubmissionCreated:
        """Announce an archive; upload it next."""
        return self._connection.ask(SubmissionCreated, "POST", "submissions", json=announced.model_dump(mode="json"))

    def upload(self, submission_id: str, path: Path, on_progress: OnProgress | None = None) -> SubmissionView:
        """Send what the server does not have yet and complete the submission; may be called again.

        `on_progress(sent, total)` counts bytes.
        """
        with reaching(self._connection.url):
            return upload_archive(self._connection.http, submission_id, path, on_progress)

    def mine(self) -> list[SubmissionView]:
        """Your own submissions, newest first, at most 200."""
        return self._connection.ask(list[SubmissionView], "GET", "submissions", params={"limit": MOST})

    def get(self, submission_id: str) -> SubmissionView:
        """Where a submission is, with each dataset's progress."""
        return self._connection.ask(SubmissionView, "GET", f"submissions/{submission_id}/evaluations")

    def cancel(self, submission_id: str) -> SubmissionView:
        """Stop a submission. Conflict when it has ended already."""
        return self._connection.ask(SubmissionView, "POST", f"submissions/{submission_id}/cancel")

    def retry(self, submission_id: str) -> SubmissionView:
        """Start a failed or cancelled submission again. Conflict when it is neither."""
        return self._connection.ask(SubmissionView, "POST", f"submissions/{submission_id}/retry")

    def log(self, submission_id: str) -> str:
        """What the model printed, tracebacks included; for its owner."""
        return self._connection.send("GET", f"submissions/{submission_id}/log").text

    def bundle(self, submission_id: str, target: Path, on_progress: OnReceived | None = None) -> Path:
        """Everything that made its numbers, signed, as a file; `target` as in `download.save`. For owners."""
        return save(self._connection, f"submissions/{submission_id}/bundle", target, on_progress)

    def scores(self, submission_id: str) -> list[ScoreView]:
        """Its cells: every metric on every dataset, with interval and provenance."""
        return self._connection.ask(list[ScoreView], "GET", f"submissions/{submission_id}/scores")

    def predict(self, submission_id: str, examples: Sequence[dict[str, str | list[str]]]) -> PredictResponse:
        """Ask the model; it is started first if it does not run."""
        asked = PredictRequest(examples=list(examples)).model_dump()
        path = f"submissions/{submission_id}/predict"
        return self._connection.ask(PredictResponse, "POST", path, json=asked, timeout=PREDICT_TIMEOUT)

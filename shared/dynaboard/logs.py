"""JSON lines on standard error, each with the request and submission it belongs to. Secrets never enter a log call."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

request_id: ContextVar[str] = ContextVar("request_id", default="")
submission_id: ContextVar[str] = ContextVar("submission_id", default="")


class JsonLines(logging.Formatter):
    """One JSON object a record."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request_id.get(),
            "submission_id": submission_id.get(),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps({key: value for key, value in entry.items() if value}, ensure_ascii=False)


def configure(level: str) -> None:
    """Send every logger's lines to standard error as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for chatty in ("httpx", "botocore", "boto3", "urllib3", "procrastinate", "alembic", "httpcore", "s3transfer"):
        logging.getLogger(chatty).setLevel(logging.WARNING)

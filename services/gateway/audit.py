"""The audit log: who changed what, and how that ended. Written before the answer leaves."""

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dynaboard.database import Database
from dynaboard.identity import Caller, Role
from dynaboard.tables import AuditEntry

LOG = logging.getLogger(__name__)
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Audit:
    """Plain ASGI: bodies stream through. Requests without a valid key change nothing and leave no row."""

    def __init__(self, app: ASGIApp, database: Database) -> None:
        self.app = app
        self.database = database

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with a row for it if it changes anything."""
        if scope["type"] != "http" or scope["method"] not in CHANGING:
            await self.app(scope, receive, send)
            return
        # The same dict is request.state, where read_caller leaves the caller.
        state = scope.setdefault("state", {})

        async def answer(message: Message) -> None:
            caller: Caller | None = state.get("caller")
            if message["type"] == "http.response.start" and caller and caller.role != Role.ANONYMOUS:
                action = f"{scope['method']} {scope['path']}"
                await asyncio.to_thread(self._write, caller.name, action, message["status"])
            await send(message)

        await self.app(scope, receive, answer)

    def _write(self, user_name: str, action: str, status: int) -> None:
        action = "".join(character if character.isprintable() else "?" for character in action)[:200]
        try:
            with self.database.begin() as db:
                db.add(AuditEntry(user_name=user_name, action=action, status=status))
        except SQLAlchemyError as error:
            # What was done is done; an error now would only hide that.
            LOG.error("not in the audit log: %s by %s, %d: %s", action, user_name, status, error)

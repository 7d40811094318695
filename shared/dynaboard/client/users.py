"""Users and their API keys."""

from dynaboard.client.connection import Connection
from dynaboard.schemas import KeyCreated, UserCreate, WhoAmI


class Users:
    """`client.users`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def me(self) -> WhoAmI:
        """Whose key this is. Unauthorized without one."""
        return self._connection.ask(WhoAmI, "GET", "whoami")

    def all(self) -> list[WhoAmI]:
        """Every user; for administrators."""
        return self._connection.ask(list[WhoAmI], "GET", "users")

    def add(self, user: UserCreate) -> KeyCreated:
        """Make a user and a first key, which is shown this once; for administrators."""
        return self._connection.ask(KeyCreated, "POST", "users", json=user.model_dump())

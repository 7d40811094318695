"""Users and their API keys."""

from dynaboard.client.connection import Connection, given
from dynaboard.schemas import KeyCreate, KeyCreated, KeyView, UserCreate, WhoAmI


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

    def keys(self, user: str | None = None) -> list[KeyView]:
        """Your keys, without their secrets; those of `user` for administrators."""
        return self._connection.ask(list[KeyView], "GET", "keys", params=given(user=user))

    def add_key(self, key: KeyCreate) -> KeyCreated:
        """A further key, which is shown this once."""
        return self._connection.ask(KeyCreated, "POST", "keys", json=key.model_dump())

    def revoke_key(self, key_id: str) -> None:
        """Have a key refused from now on."""
        self._connection.send("DELETE", f"keys/{key_id}")

"""Users and their API keys; the one thing the gateway keeps itself."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy import select

from dynaboard.errors import Forbidden
from dynaboard.identity import Caller, Role
from dynaboard.schemas import KeyCreate, KeyCreated, KeyView, UserCreate, UserName, WhoAmI
from dynaboard.tables import ApiKey, User
from services.gateway.callers import AdminDep, ReaderDep
from services.gateway.context import ContextDep
from services.gateway.json_limit import JsonRoute
from services.gateway.keys import add_key, add_user, find_user, revoke
from services.gateway.parameters import ERRORS, Id

router = APIRouter(tags=["users and keys"], responses=ERRORS, route_class=JsonRoute)


@router.get("/whoami", summary="Whose key this is")
def whoami(caller: ReaderDep) -> WhoAmI:
    """The name and the role of the caller."""
    return WhoAmI(name=caller.name, role=caller.role)


@router.post("/users", status_code=201, summary="Add a user")
def create_user(context: ContextDep, _: AdminDep, wanted: UserCreate) -> KeyCreated:
    """Make a user with a first API key, which is shown this once; for administrators."""
    with context.database.begin() as db:
        return add_key(db, add_user(db, wanted.name, Role(wanted.role)), "first")


@router.get("/users", summary="List the users")
def list_users(context: ContextDep, _: AdminDep) -> list[WhoAmI]:
    """In the order of their names; for administrators."""
    with context.database.begin() as db:
        return [WhoAmI(name=user.name, role=user.role) for user in db.scalars(select(User).order_by(User.name))]


@router.post("/keys", status_code=201, summary="Add an API key")
def create_key(context: ContextDep, caller: ReaderDep, wanted: KeyCreate) -> KeyCreated:
    """A further key of yours (or, for administrators, of `user`), shown this once."""
    with context.database.begin() as db:
        return add_key(db, find_user(db, _whose(caller, wanted.user)), wanted.label)


@router.get("/keys", summary="List your API keys")
def list_keys(
    context: ContextDep,
    caller: ReaderDep,
    user: Annotated[UserName | None, Query(description="Somebody else's; for administrators.")] = None,
) -> list[KeyView]:
    """Without their secrets, oldest first, revoked ones too."""
    with context.database.begin() as db:
        owner = find_user(db, _whose(caller, user))
        rows = db.scalars(select(ApiKey).where(ApiKey.user_id == owner.id).order_by(ApiKey.created_at, ApiKey.id))
        return [
            KeyView(id=row.id, label=row.label, created_at=row.created_at, revoked_at=row.revoked_at) for row in rows
        ]


@router.delete("/keys/{key_id}", status_code=204, response_class=Response, summary="Revoke an API key")
def delete_key(context: ContextDep, caller: ReaderDep, key_id: Id) -> None:
    """From now on it is refused; yours, or for administrators anybody's."""
    with context.database.begin() as db:
        revoke(db, None if caller.role == Role.ADMIN else find_user(db, caller.name), key_id)


def _whose(caller: Caller, name: str | None) -> str:
    if name not in (None, caller.name) and caller.role != Role.ADMIN:
        raise Forbidden("Only administrators deal with the keys of somebody else.")
    return name or caller.name

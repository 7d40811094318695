"""Who calls: the gateway proves itself by a token and says on whose behalf it asks; services believe nobody else."""

import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Depends, Request

from dynaboard.errors import Forbidden, Unauthorized

TOKEN_HEADER = "x-dynaboard-token"
USER_HEADER = "x-dynaboard-user"
ROLE_HEADER = "x-dynaboard-role"


class Role(StrEnum):
    """What a caller may do; each role may do what the ones before it may."""

    ANONYMOUS = "anonymous"
    READER = "reader"
    SUBMITTER = "submitter"
    TASK_OWNER = "task-owner"
    ADMIN = "admin"


RANK = {role: rank for rank, role in enumerate(Role)}


@dataclass(frozen=True)
class Caller:
    """The person a request is made for."""

    name: str
    role: Role

    def at_least(self, role: Role) -> bool:
        """Whether the caller has this role or a higher one."""
        return RANK[self.role] >= RANK[role]

    def may_see(self, owner: str, published: bool) -> bool:
        """Published things are everybody's; the rest is for its owner and administrators."""
        return published or (self.name == owner and self.role != Role.ANONYMOUS) or self.role == Role.ADMIN

    def may_change(self, owner: str) -> bool:
        """Only its owner and administrators change a thing."""
        return (self.name == owner and self.role != Role.ANONYMOUS) or self.role == Role.ADMIN


NOBODY = Caller("", Role.ANONYMOUS)


def headers_for(caller: Caller, token: str) -> dict[str, str]:
    """The headers with which the gateway passes a caller on."""
    return {TOKEN_HEADER: token, USER_HEADER: caller.name, ROLE_HEADER: caller.role.value}


async def read_caller(request: Request) -> Caller:
    """The caller of an internal request; Unauthorized unless it comes from the gateway."""
    # Not `def`: that would send each request through a thread.
    token: str = request.app.state.settings.internal_token
    given = request.headers.get(TOKEN_HEADER, "")
    if not token or not hmac.compare_digest(given.encode(), token.encode()):
        raise Unauthorized("This address is internal; use the public API of the gateway.")
    return Caller(request.headers.get(USER_HEADER, ""), Role(request.headers.get(ROLE_HEADER, Role.ANONYMOUS)))


CallerDep = Annotated[Caller, Depends(read_caller)]


def require(caller: Caller, role: Role) -> None:
    """Raise Unauthorized for a nameless caller and Forbidden for one whose role is too low."""
    if caller.at_least(role):
        return
    if caller.role == Role.ANONYMOUS:
        raise Unauthorized
    raise Forbidden(f"This needs the role {role.value}; your API key has {caller.role.value}.")

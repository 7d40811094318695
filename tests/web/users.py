"""Users of the platform for the tests of the page, each made through the API."""

from uuid import uuid4

import httpx

from tests.web.conftest import Web


def new_user(web: Web, role: str) -> tuple[str, str]:
    """A new user's name and API key."""
    name = f"{role}-{uuid4().hex[:8]}"
    headers = {"authorization": f"Bearer {web.admin_key}"}
    answer = httpx.post(f"{web.url}/api/v1/users", json={"name": name, "role": role}, headers=headers)
    answer.raise_for_status()
    return name, str(answer.json()["key"])

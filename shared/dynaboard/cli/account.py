"""Where the address and the API key are kept: DYNABOARD_URL and DYNABOARD_KEY, or what `dynaboard login` stored."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dynaboard.errors import Invalid

if TYPE_CHECKING:
    from dynaboard.client import Client

DEFAULT_URL = "http://127.0.0.1:8000"


@dataclass(frozen=True)
class Account:
    """A Dynaboard and the key for it; an empty key is nobody's."""

    url: str = DEFAULT_URL
    key: str = field(default="", repr=False)


def path() -> Path:
    """The file of the stored account, which only its owner may read."""
    from platformdirs import user_config_path

    return user_config_path("dynaboard", appauthor=False) / "account.json"


def stored() -> Account | None:
    """What `store` kept. Raises Invalid when the file is damaged."""
    try:
        return Account(**json.loads(path().read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        raise Invalid(f"{path()} is damaged; run `dynaboard login` again.") from None


def store(account: Account) -> Path:
    """Keep an account, readable by its owner alone from the first byte on."""
    file = path()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = file.with_suffix(".part")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as target:
        json.dump(asdict(account), target)
    partial.replace(file)
    return file


def current() -> Account:
    """The account in force. A stored key goes to the address it was stored for and nowhere else."""
    kept = None if {"DYNABOARD_URL", "DYNABOARD_KEY"} <= os.environ.keys() else stored()
    kept = kept or Account()
    url = os.environ.get("DYNABOARD_URL", "").rstrip("/") or kept.url
    return Account(url, os.environ.get("DYNABOARD_KEY", "") or (kept.key if url == kept.url else ""))


def connect() -> "Client":
    """A client for the account in force."""
    from dynaboard.client import Client

    account = current()
    return Client(account.url, account.key)

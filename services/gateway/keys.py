"""API keys: made, found by their sha256, revoked. The key itself is shown once and never stored."""

import hashlib
import secrets

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from dynaboard.database import Database
from dynaboard.errors import Conflict, NotFound
from dynaboard.identity import Caller, Role
from dynaboard.schemas import KeyCreated
from dynaboard.tables import ApiKey, User, now

ADMIN = "admin"
# The label of the key that the settings give to `admin`.
FROM_SETTINGS = "from the settings"
MOST_KEYS = 50


def digest_of(key: str) -> str:
    """What is stored of a key. It holds 256 random bits, so a plain sha256 cannot be guessed back."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def find_caller(database: Database, digest: str) -> Caller | None:
    """Whose key has this digest; None for an unknown or revoked one. Asked for each request: about 0.5 ms."""
    wanted = (
        select(User.name, User.role)
        .join(ApiKey, ApiKey.user_id == User.id)
        .where(ApiKey.digest == digest, ApiKey.revoked_at.is_(None))
    )
    with database.begin() as db:
        row = db.execute(wanted).one_or_none()
    return Caller(row.name, Role(row.role)) if row else None


def find_user(db: Session, name: str) -> User:
    """The user of that name. Raises NotFound."""
    user = db.scalar(select(User).where(User.name == name))
    if user is None:
        raise NotFound(f"There is no user {name}.")
    return user


def add_user(db: Session, name: str, role: Role) -> User:
    """A new user. Raises Conflict when the name is taken."""
    wanted = insert(User).values(name=name, role=role).on_conflict_do_nothing()
    made: User | None = db.scalar(wanted.returning(User))
    if made is None:
        raise Conflict(f"There is a user {name} already; choose another name.")
    return made


def add_key(db: Session, user: User, label: str) -> KeyCreated:
    """A new key. Raises Conflict when the user has MOST_KEYS."""
    active = select(func.count()).where(ApiKey.user_id == user.id, ApiKey.revoked_at.is_(None))
    if db.scalars(active).one() >= MOST_KEYS:
        raise Conflict(f"{user.name} has {MOST_KEYS} keys, which is the most; delete those that are no longer used.")
    key = f"dyb_{secrets.token_urlsafe(32)}"
    row = ApiKey(user_id=user.id, digest=digest_of(key), label=label)
    db.add(row)
    db.flush()
    return KeyCreated(id=row.id, user=user.name, role=user.role, key=key)


def revoke(db: Session, user: User | None, key_id: str) -> None:
    """Refuse a key from now on; of any user if `user` is None. Raises NotFound; a revoked key may be revoked again."""
    row = db.get(ApiKey, key_id)
    if row is None or (user is not None and row.user_id != user.id):
        raise NotFound("There is no such API key, or it is not yours; `GET /keys` lists yours.")
    row.revoked_at = row.revoked_at or now()


def ensure_admin(database: Database, key: str) -> None:
    """Make the user `admin` with the settings' key; the key that the settings gave before is refused from now on."""
    with database.begin() as db:
        db.execute(insert(User).values(name=ADMIN, role=Role.ADMIN).on_conflict_do_nothing())
        admin = find_user(db, ADMIN)
        admin.role = Role.ADMIN
        of_settings = (ApiKey.user_id == admin.id, ApiKey.label == FROM_SETTINGS, ApiKey.digest != digest_of(key))
        db.execute(update(ApiKey).where(*of_settings, ApiKey.revoked_at.is_(None)).values(revoked_at=now()))
        given = insert(ApiKey).values(user_id=admin.id, digest=digest_of(key), label=FROM_SETTINGS)
        # A key that was in the settings before, taken back into them, is valid again.
        db.execute(given.on_conflict_do_update(index_elements=["digest"], set_={"revoked_at": None}))

"""The embedded PostgreSQL and S3 keep their data over restarts and let nobody in without a password."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg2
import pytest
from botocore.exceptions import ClientError

from dynaboard import embedded
from dynaboard.settings import Settings
from dynaboard.storage import make_storage


def test_a_restart_finds_its_data(tmp_path: Path) -> None:
    for statement in ("CREATE TABLE kept (x int)", "SELECT x FROM kept"):
        with embedded.postgres(tmp_path) as url:
            connection = psycopg2.connect(url)
            with connection, connection.cursor() as cursor:
                cursor.execute(statement)
            connection.close()


def test_postgres_refuses_a_wrong_password(postgres_url: str) -> None:
    host = postgres_url.rsplit("@", 1)[1]
    with pytest.raises(psycopg2.OperationalError, match="password authentication failed"):
        psycopg2.connect(f"postgresql://dynaboard:guess@{host}")


def test_s3_refuses_a_wrong_key(s3_address: embedded.S3Address) -> None:
    storage = make_storage(Settings(s3_url=s3_address.url, s3_access_key="dynaboard", s3_secret_key="guess"))
    with pytest.raises(ClientError, match=r"403|Forbidden|AccessDenied|SignatureDoesNotMatch"):
        storage.client.list_buckets()
    storage.client.close()


def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "secrets" / "one"
    secret = embedded.read_or_make_secret(path)
    assert embedded.read_or_make_secret(path) == secret
    assert len(secret) >= 32
    assert path.stat().st_mode & 0o077 == 0


def test_processes_that_make_a_secret_at_once_get_the_same(tmp_path: Path) -> None:
    path = tmp_path / "secrets" / "shared"
    with ThreadPoolExecutor(8) as many:
        found = set(many.map(lambda _: embedded.read_or_make_secret(path), range(64)))
    assert found == {path.read_text()}
    assert list(path.parent.iterdir()) == [path]

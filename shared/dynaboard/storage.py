"""Object storage: any S3 server, through boto3. Keys carry digests; objects are never changed once written."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

from dynaboard.errors import NotFound
from dynaboard.settings import Settings
from dynaboard.telemetry import STORAGE_ERRORS

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

MISSING = frozenset({"404", "NoSuchKey", "NotFound", "NoSuchUpload"})
CHUNK = 1024 * 1024
# One transfer thread: parts arrive in order, which the embedded server streams instead of buffering.
IN_ORDER = TransferConfig(multipart_chunksize=16 * 1024 * 1024, use_threads=False)


def dataset_key(digest: str) -> str:
    """Where a dataset's canonical lines lie, gzipped; the evaluator writes them, scoring reads them."""
    return f"datasets/{digest}.jsonl.gz"


@dataclass(frozen=True)
class Storage:
    """One bucket. `client` is boto3's, thread-safe, for what this class does not wrap (multipart parts, ranges)."""

    client: "S3Client"
    bucket: str

    def create_bucket(self) -> None:
        """Make the bucket if it is not there."""
        try:
            self.client.head_bucket(Bucket=self.bucket)
        except ClientError:
            try:
                self.client.create_bucket(Bucket=self.bucket)
            except ClientError:
                self.client.head_bucket(Bucket=self.bucket)  # another process was first

    def put(self, key: str, body: bytes) -> None:
        """Store a small object."""
        self.client.put_object(Bucket=self.bucket, Key=key, Body=body)

    def put_file(self, key: str, file: Path | BinaryIO) -> None:
        """Store a file of any size in constant memory."""
        if isinstance(file, Path):
            self.client.upload_file(str(file), self.bucket, key, Config=IN_ORDER)
        else:
            self.client.upload_fileobj(file, self.bucket, key, Config=IN_ORDER)

    def get(self, key: str) -> bytes:
        """A small object's bytes. Raises NotFound."""
        return bytes(self.open(key).read())

    def open(self, key: str) -> Any:
        """A readable stream of an object's bytes (botocore's StreamingBody). Raises NotFound."""
        try:
            return self.client.get_object(Bucket=self.bucket, Key=key)["Body"]
        except ClientError as error:
            raise _not_found(error, key) from error

    def chunks(self, key: str) -> Iterator[bytes]:
        """An object's bytes in pieces of 1 MiB. Raises NotFound."""
        yield from self.open(key).iter_chunks(CHUNK)

    def fetch(self, key: str, target: Path) -> None:
        """Write an object to a local file in constant memory. Raises NotFound."""
        with target.open("wb") as file:
            for chunk in self.chunks(key):
                file.write(chunk)

    def size(self, key: str) -> int:
        """An object's bytes. Raises NotFound."""
        try:
            return int(self.client.head_object(Bucket=self.bucket, Key=key)["ContentLength"])
        except ClientError as error:
            raise _not_found(error, key) from error

    def exists(self, key: str) -> bool:
        """Whether an object is there."""
        try:
            self.size(key)
        except NotFound:
            return False
        return True

    def keys(self, prefix: str) -> list[str]:
        """The keys below a prefix, in order."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
        return sorted(item["Key"] for page in pages for item in page.get("Contents", []))

    def delete(self, key: str) -> None:
        """Remove an object; silence if it is gone."""
        self.client.delete_object(Bucket=self.bucket, Key=key)


def _not_found(error: ClientError, key: str) -> Exception:
    if error.response.get("Error", {}).get("Code") in MISSING:
        return NotFound(f"The stored object {key} is not there.")
    return error


def make_storage(settings: Settings) -> Storage:
    """The storage the settings name."""
    client: S3Client = boto3.client(
        "s3",
        endpoint_url=settings.s3_url,
        aws_access_key_id=settings.s3_access_key,
        aws_secret_access_key=settings.s3_secret_key,
        region_name=settings.s3_region,
        config=Config(
            signature_version="s3v4",
            s3={"addressing_style": "path"},
            retries={"max_attempts": 5, "mode": "standard"},
            max_pool_connections=32,
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )
    client.meta.events.register("after-call.s3", _count_refused)
    client.meta.events.register("after-call-error.s3", _count_unreached)
    return Storage(client, settings.s3_bucket)


def _count_refused(http_response: Any, model: Any, **_: Any) -> None:
    # Other refusals answer what was asked: there is no such object, or no such part of it.
    if http_response.status_code >= 500 or http_response.status_code in (401, 403):
        STORAGE_ERRORS.labels(model.name).inc()


def _count_unreached(event_name: str, **_: Any) -> None:
    STORAGE_ERRORS.labels(event_name.rpartition(".")[2]).inc()

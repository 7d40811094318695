"""S3 multipart uploads: the parts of an archive, in object storage and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import urllib3
from botocore.exceptions import BotoCoreError, ClientError

from dynaboard.errors import Conflict, Unavailable
from dynaboard.storage import MISSING, Storage
from dynaboard.telemetry import STORAGE_ERRORS

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import CompletedPartTypeDef

LOST = "The upload was interrupted on the platform's side; ask which parts are there and send the others."
URL_SECONDS = 600
# The one operation that does not go through the client library, which counts the others' errors.
UPLOAD_PART = "UploadPart"


@dataclass(frozen=True)
class PartStore:
    """The multipart uploads of one bucket. Every call raises Unavailable when the object store does not answer."""

    storage: Storage
    http: urllib3.PoolManager

    def begin(self, key: str) -> str:
        """Start an upload; its id."""
        with reached():
            return self.storage.client.create_multipart_upload(Bucket=self.storage.bucket, Key=key)["UploadId"]

    def send(self, key: str, upload_id: str, number: int, data: memoryview) -> str:
        """Store a part; its entity tag. Raises Conflict when the store has lost the upload.

        Goes to a presigned address: the client library would copy the part and hash it once more.
        """
        where = {"Bucket": self.storage.bucket, "Key": key, "UploadId": upload_id, "PartNumber": number}
        with reached():
            url = self.storage.client.generate_presigned_url("upload_part", Params=where, ExpiresIn=URL_SECONDS)
            answer = self._put(url, data)
        if answer.status == 404:
            raise Conflict(LOST)
        if answer.status != 200:
            STORAGE_ERRORS.labels(UPLOAD_PART).inc()
            raise Unavailable(f"The object store refused a part ({answer.status}); send it again in a moment.")
        return answer.headers.get("ETag", "").strip('"')

    def _put(self, url: str, data: memoryview) -> urllib3.BaseHTTPResponse:
        try:
            return self.http.request("PUT", url, body=cast("bytes", data))  # any buffer will do
        except urllib3.exceptions.HTTPError:
            STORAGE_ERRORS.labels(UPLOAD_PART).inc()
            raise

    def sizes(self, key: str, upload_id: str) -> dict[int, int] | None:
        """Bytes of each part that has arrived, by number; None when the store has lost the upload."""
        parts = self._parts(key, upload_id)
        return None if parts is None else {number: size for number, (size, _) in parts.items()}

    def finish(self, key: str, upload_id: str) -> dict[int, str] | None:
        """Make the parts one object; their entity tags by number, None when the store no longer knows the upload."""
        parts = self._parts(key, upload_id)
        if parts is None:
            return None
        listed: list[CompletedPartTypeDef] = [
            {"PartNumber": number, "ETag": tag} for number, (_, tag) in sorted(parts.items())
        ]
        try:
            with reached():
                self.storage.client.complete_multipart_upload(
                    Bucket=self.storage.bucket, Key=key, UploadId=upload_id, MultipartUpload={"Parts": listed}
                )
        except _Lost:
            return None
        return {number: tag.strip('"') for number, (_, tag) in parts.items()}

    def abort(self, key: str, upload_id: str) -> None:
        """Remove the parts of an unfinished upload; silence if it is gone."""
        if not upload_id:
            return
        try:
            with reached():
                self.storage.client.abort_multipart_upload(Bucket=self.storage.bucket, Key=key, UploadId=upload_id)
        except _Lost:
            pass

    def discard(self, key: str, upload_id: str) -> None:
        """Remove an upload and the object it became; silence if they are gone."""
        self.abort(key, upload_id)
        with reached():
            self.storage.delete(key)

    def _parts(self, key: str, upload_id: str) -> dict[int, tuple[int, str]] | None:
        pages = self.storage.client.get_paginator("list_parts")
        try:
            with reached():
                return {
                    part["PartNumber"]: (part["Size"], part["ETag"])
                    for page in pages.paginate(Bucket=self.storage.bucket, Key=key, UploadId=upload_id)
                    for part in page.get("Parts", [])
                }
        except _Lost:
            return None


class _Lost(Exception):
    """The store does not know the upload: it was restarted, or the upload has ended."""


@contextmanager
def reached() -> Iterator[None]:
    """Turns what goes wrong on the way to the object store into Unavailable."""
    try:
        yield
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in MISSING:
            raise _Lost from error
        raise Unavailable from error
    except (BotoCoreError, urllib3.exceptions.HTTPError) as error:
        raise Unavailable from error

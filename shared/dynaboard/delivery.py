"""An archive that comes as a stream: held against its digest, then unpacked. In constant memory."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from dynaboard.archive import Contents, extract
from dynaboard.errors import Invalid, ModelFailure, PlatformFailure
from dynaboard.zip_directory import Limits

# Upload has held the archive against the installation's limits; here only nonsense is refused.
ACCEPTED = Limits(entries=1_000_000, directory=256 * 1024**2, unpacked=1024**4, ratio=1_000_000)


def unpack(blocks: Iterable[bytes], digest: str, folder: Path) -> Contents:
    """Unpack an archive into the empty `folder` if its sha256 is `digest`; the packed bytes lie there too meanwhile.

    Raises PlatformFailure when it is another one, ModelFailure when it is none, OSError when it cannot be written, and
    what `blocks` raises.
    """
    with TemporaryFile(dir=folder) as packed:
        if _written(blocks, packed) != digest:
            raise PlatformFailure("The stored archive holds other bytes than were submitted.")
        packed.seek(0)
        try:
            return extract(packed, folder, ACCEPTED)
        except Invalid as error:
            raise ModelFailure(error.detail) from error


def _written(blocks: Iterable[bytes], file: BinaryIO) -> str:
    found = hashlib.sha256()
    for block in blocks:
        found.update(block)
        file.write(block)
    return found.hexdigest()

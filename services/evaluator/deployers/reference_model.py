"""The reference model as an archive, so that it runs exactly as a submission does."""

import io
import json
import zipfile
from functools import cache
from hashlib import sha256

from dynaboard.archive import EPOCH
from dynaboard.manifest import MANIFEST
from dynaboard.measurement.reference_models import BATCH_SIZE, FOLDER, HANDLER, TASK
from services.evaluator.archives import Parcel


@cache
def reference_parcel() -> Parcel:
    """The archive, the same bytes every time."""
    file, code = io.BytesIO(), HANDLER.partition(":")[0]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, text in ((MANIFEST, _manifest()), (code, (FOLDER / code).read_bytes())):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), text)
    packed = file.getvalue()
    return Parcel("reference", sha256(packed).hexdigest(), lambda: [packed])


def _manifest() -> bytes:
    card = {"summary": "What every model is measured beside.", "licence": "Apache-2.0"}
    said = {"name": TASK.name, "task": TASK.name, "handler": HANDLER, "batch_size": BATCH_SIZE, "card": card}
    return json.dumps(said).encode()

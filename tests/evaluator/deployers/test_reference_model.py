"""The reference model is an archive like any other."""

import io
from hashlib import sha256

from dynaboard.archive import check
from dynaboard.measurement.reference_models import BATCH_SIZE, HANDLER
from services.evaluator.deployers.reference_model import reference_parcel


def test_its_archive_is_what_a_submitter_could_have_sent() -> None:
    packed = b"".join(reference_parcel().chunks())
    contents = check(io.BytesIO(packed))
    assert reference_parcel().digest == sha256(packed).hexdigest()
    assert (contents.kind, contents.manifest.handler, contents.manifest.batch_size) == ("model", HANDLER, BATCH_SIZE)


def test_it_is_the_same_every_time() -> None:
    again = reference_parcel.__wrapped__()
    assert again.digest == reference_parcel().digest

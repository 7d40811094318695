"""All four services, real and running, in this process."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx

from dynaboard.bundle.signature import new_signing_key
from dynaboard.settings import Settings
from dynaboard.storage import make_storage
from services.evaluator.app import create_app as create_evaluator
from services.evaluator.settings import EvaluatorSettings
from services.gateway.app import create_app as create_gateway
from services.gateway.settings import GatewaySettings
from services.scoring.app import create_app as create_scoring
from services.scoring.settings import ScoringSettings
from services.upload.app import create_app as create_upload
from services.upload.settings import UploadSettings
from tests.serving import serving


@contextmanager
def running(shared: dict[str, Any], **gateway: Any) -> Iterator[httpx.Client]:
    """A client of the gateway's API before the services that these settings make; `gateway` are its own settings."""
    storage = make_storage(Settings(**shared))
    storage.create_bucket()
    storage.client.close()
    scoring = ScoringSettings(**shared, signing_key=new_signing_key())
    with ExitStack() as stack:
        urls = {
            "upload_url": stack.enter_context(serving(create_upload(UploadSettings(**shared)))),
            "evaluator_url": stack.enter_context(serving(create_evaluator(EvaluatorSettings(**shared)))),
            "scoring_url": stack.enter_context(serving(create_scoring(scoring))),
        }
        url = stack.enter_context(serving(create_gateway(GatewaySettings(**shared, **urls, **gateway))))
        yield stack.enter_context(httpx.Client(base_url=f"{url}/api/v1", timeout=30))

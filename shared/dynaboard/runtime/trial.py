"""Would the server take this model? The same sandbox, limits and contract, on a handful of examples."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from dynaboard.errors import ModelFailure
from dynaboard.nlp_tasks import Task
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.predictor import Predictor
from dynaboard.runtime.server import ModelServer, start_server
from dynaboard.runtime.trial_examples import trial_batches

LOG_TAIL = 4_000


@dataclass(frozen=True)
class Trial:
    """`sentence` says what works or what to mend; times in seconds, the cold start None if it never was ready."""

    ok: bool
    sentence: str
    cold_start_s: float | None
    seconds: float
    log: str
    sandbox: str


def trial(  # noqa: PLR0913, PLR0917 - the four facts of a manifest, and where and within what to run it
    model_dir: Path,
    manifest_task: Task,
    handler: str,
    batch_size: int,
    limits: Limits,
    run_dir: Path,
    python: Path | None = None,
) -> Trial:
    """Start an unpacked submission, send it tricky but legal examples, check every answer, stop it.

    A fault of the model is the verdict; a fault of ours is raised as PlatformFailure. Call it outside an event loop.
    """
    started = time.monotonic()
    server = start_server(model_dir, handler, run_dir, limits, python)
    try:
        server.wait_ready()
        answered = asyncio.run(_answer_all(server, manifest_task, batch_size))
        ok, sentence = True, f"The model answered {answered} trial examples as the {manifest_task.name} contract asks."
    except ModelFailure as failure:
        ok, sentence = False, failure.detail
    finally:
        server.stop()
    seconds = time.monotonic() - started
    return Trial(ok, sentence, server.cold_start_s, seconds, server.log_tail(LOG_TAIL), server.sandbox)


async def _answer_all(server: ModelServer, task: Task, batch_size: int) -> int:
    async with Predictor(server, task, server.limits.predict_s) as predictor:
        return sum([len(await predictor.predict(batch)) for batch in trial_batches(task, batch_size)])

"""Has the deployer clean up now and then: what a killed evaluator left is gone within a minute."""

import logging
import threading

from sqlalchemy.exc import SQLAlchemyError

from dynaboard.errors import PlatformFailure
from services.evaluator.deployers import Deployer

LOG = logging.getLogger(__name__)
PERIOD_S = 20.0


class Cleaner:
    """A thread of its own, for the evaluator's jobs may take hours."""

    def __init__(self, deployer: Deployer) -> None:
        self._deployer = deployer
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="cleaner", daemon=True)

    def start(self) -> None:
        """Clean up now and then."""
        self._thread.start()

    def stop(self) -> None:
        """Stop doing so; returns when the thread has ended."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(PERIOD_S):
            try:
                removed = self._deployer.clean()
            except (PlatformFailure, SQLAlchemyError) as failure:
                LOG.warning("could not look for what killed evaluators left: %s", failure)
                continue
            for name in removed:
                LOG.warning("removed the run %s of an evaluator that was killed", name)

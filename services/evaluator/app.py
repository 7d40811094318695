"""The evaluator service: runs models, keeps datasets, answers questions put to a model."""

import logging

from fastapi import FastAPI

from dynaboard.app import service_app
from dynaboard.database import Database
from dynaboard.jobs import EVALUATE, QUEUES
from dynaboard.storage import make_storage
from dynaboard.worker import Worker
from services.evaluator import routes
from services.evaluator.backfill import routes as backfill_routes
from services.evaluator.bench import Bench
from services.evaluator.datasets import routes as dataset_routes
from services.evaluator.deployers import DEPLOYERS
from services.evaluator.deployers.cleaner import Cleaner
from services.evaluator.interactive import Interactive
from services.evaluator.jobs import make_jobs
from services.evaluator.perturbed import routes as perturbed_routes
from services.evaluator.reference_server import ReferenceServer
from services.evaluator.settings import EvaluatorSettings
from services.evaluator.slot import Slot

LOG = logging.getLogger(__name__)


def make_bench(settings: EvaluatorSettings, database: Database) -> Bench:
    """The parts of an evaluator, put together by its settings."""
    storage = make_storage(settings)
    deployer = DEPLOYERS[settings.deployer](settings, storage, database)
    return Bench(settings, database, storage, deployer, Slot(database), ReferenceServer(deployer))


def create_app(settings: EvaluatorSettings) -> FastAPI:
    """The service as an ASGI application, with its worker: one measured model at a time."""
    database = Database(settings.database_url)
    bench = make_bench(settings, database)
    for name in bench.deployer.clean():
        LOG.warning("removed the run %s of an evaluator that was killed", name)
    interactive = Interactive(bench)
    worker = Worker(make_jobs(bench), [QUEUES[EVALUATE]], concurrency=1, draining=bench.draining)
    cleaner = Cleaner(bench.deployer)
    cleaner.start()
    stopping = [interactive.close, bench.reference.close, cleaner.stop, bench.deployer.close]
    closing = [*stopping, bench.slot.close, bench.storage.client.close]
    app = service_app("evaluator", settings, database, worker, closing)
    app.include_router(routes.make_router(bench, interactive))
    app.include_router(dataset_routes.make_router(database, bench.storage, settings))
    app.include_router(perturbed_routes.make_router(bench))
    app.include_router(backfill_routes.make_router(bench))
    return app

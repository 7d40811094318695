"""Models that were evaluated before, without running them."""

from dynaboard.contract import Answer
from dynaboard.measurement import PROFILES
from dynaboard.measurement.hardware import hardware_profile
from dynaboard.nlp_tasks import TASKS
from dynaboard.prediction_file import encode
from dynaboard.tables import Dataset, Evaluation, Measurement, new_id, now
from services.evaluator.bench import Bench
from services.evaluator.cost import protocol
from services.evaluator.plan import open_datasets
from services.evaluator.predictions import predictions_key
from tests.evaluator.world import World


def landed(bench: Bench, world: World, handlers: list[str]) -> list[str]:
    """Published, finished models that have predictions and costs on all there is."""
    ids = [world.submit(handler, queue=False) for handler in handlers]
    hardware = hardware_profile(bench.settings.limits, bench.settings.runtime_python).fingerprint
    for submission_id in ids:
        world.publish(submission_id)
        for dataset in open_datasets(bench.database, "sentiment"):
            has_run(world, submission_id, dataset, hardware, protocol(PROFILES[bench.settings.measurement_profile]))
    return ids


def has_run(world: World, submission_id: str, dataset: Dataset, hardware: str, protocol_version: str) -> None:
    """Predictions, and a cost, of a model on a dataset."""
    key = predictions_key(identifier := new_id())
    answers = [
        Answer(f"x{number}", TASKS["sentiment"].labels[number % 3], None, None) for number in range(dataset.examples)
    ]
    world.storage.put(key, encode(TASKS["sentiment"], answers))
    evaluation = Evaluation(submission_id=submission_id, dataset_id=dataset.id, status="finished", predictions_key=key)
    evaluation.id = identifier
    evaluation.total = evaluation.done = dataset.examples
    evaluation.seconds, evaluation.finished_at = 2.0, now()
    digest = world.submission(submission_id).digest
    cell = Measurement(model_digest=digest, dataset_digest=dataset.digest, metric="throughput", metric_version="2")
    cell.hardware_profile, cell.protocol_version, cell.unit = hardware, protocol_version, "examples/s"
    cell.value, cell.n = 10.0, 3
    with world.database.begin() as db:
        db.add_all([evaluation, cell])

"""The metrics that come with the platform, by name. To add one: write it in a module beside this file, name it here."""

from dynaboard.nlp_tasks import TASKS
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.classification import ACCURACY, MACRO_F1, f1_of
from services.scoring.metrics.confidence import AUROC, CALIBRATION_ERROR
from services.scoring.metrics.metric import Metric
from services.scoring.metrics.qa import SQUAD_EM, SQUAD_F1

_LABELS = sorted({label for task in TASKS.values() for label in task.labels})

METRICS: dict[str, Metric[Answers]] = {
    metric.name: metric
    for metric in (ACCURACY, MACRO_F1, *map(f1_of, _LABELS), SQUAD_EM, SQUAD_F1, AUROC, CALIBRATION_ERROR)
}

"""Every Prometheus series, in one list, with units in their names (what they mean: docs/monitoring.md).

Labels take few values: route templates, statuses, queues, tasks; never what a stranger writes. The one id among them is
the submission being evaluated, on one series that is gone when its evaluation ends.
"""

from dataclasses import dataclass

from prometheus_client import Counter, Gauge, Histogram, Info, disable_created_metrics
from prometheus_client.core import GaugeMetricFamily

from dynaboard import __version__
from dynaboard.nlp_tasks import TASKS

# A third of all series, and of no use: Prometheus knows when a counter began.
disable_created_metrics()  # type: ignore[no-untyped-call]

BUILD = Info("dynaboard_build", "The version that runs.")
BUILD.info({"version": __version__})

HTTP_REQUESTS = Counter("dynaboard_http_requests_total", "Requests answered.", ["service", "method", "route", "status"])
HTTP_SECONDS = Histogram(
    "dynaboard_http_request_seconds",
    "Time until an answer begins; a long body or a stream of events is not waited for.",
    ["service", "route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120),
)
EVENT_STREAMS = Gauge("dynaboard_event_streams", "Leaderboards being watched now.")
UPLOADED_BYTES = Counter("dynaboard_uploaded_bytes_total", "Bytes of archives received.")

SUBMISSIONS = Counter(
    "dynaboard_submissions_total",
    "Submissions that reached an end, and by whose fault if it is failed.",
    ["task", "status", "fault"],
)
EXAMPLES = Counter("dynaboard_examples_predicted_total", "Examples predicted.", ["task"])
LANDING_SECONDS = Histogram(
    "dynaboard_landing_seconds",
    "From the end of a submission's last evaluation to the board that holds it.",
    ["task"],
    buckets=(0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800),
)

FILLED_CELLS = Counter("dynaboard_backfill_cells_total", "Cells computed from predictions that were stored before.")
FILLED_EXAMPLES = Counter(
    "dynaboard_backfill_examples_total", "Stored predictions read for metrics they lacked.", ["task"]
)
METRIC_FAILURES = Counter(
    "dynaboard_metric_failures_total", "Times that a metric which an operator added raised an error.", ["metric"]
)
FILLING_SECONDS = Counter(
    "dynaboard_backfill_seconds_total", "Seconds spent on metrics that stored predictions lacked.", ["task"]
)

WORKERS = Gauge("dynaboard_workers", "Workers alive in this process.", ["queue"])
JOBS_RUNNING = Gauge("dynaboard_jobs_running", "Jobs running in this process.", ["job"])
JOB_SECONDS = Histogram(
    "dynaboard_job_seconds", "Time a job took.", ["job", "outcome"], buckets=(0.1, 1, 5, 15, 60, 300, 1800, 7200)
)

# Outcomes: ready; model and platform (who is to blame); stopped (told to stop while it started).
DEPLOYMENTS = Counter("dynaboard_deployments_total", "Model servers started.", ["deployer", "outcome"])
DEPLOYMENT_READY_SECONDS = Histogram(
    "dynaboard_deployment_ready_seconds",
    "From the launch of a model server to its first answer.",
    ["deployer"],
    buckets=(0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300),
)
WATCHDOG_KILLS = Counter("dynaboard_watchdog_kills_total", "Models killed for taking too much.", ["reason"])

# Purposes: evaluation, interactive ("talk to the model").
MODELS_RUNNING = Gauge("dynaboard_models_running", "Models deployed now.", ["purpose"])
MODEL_MEMORY_BYTES = Gauge(
    "dynaboard_model_memory_bytes", "Resident memory of the models' process trees, read at the scrape.", ["purpose"]
)
MODEL_REQUEST_SECONDS = Histogram(
    "dynaboard_model_request_seconds",
    "Time a model was at one request, which may hold a batch.",
    ["purpose"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
EVALUATION = Gauge("dynaboard_evaluation_info", "The submission evaluated now.", ["submission", "model", "task"])
EVALUATION_DATASET = Gauge("dynaboard_evaluation_dataset_info", "The dataset predicted now.", ["dataset", "suite"])
EVALUATION_EXAMPLES = Gauge("dynaboard_evaluation_examples", "Examples of the dataset predicted now.")
EVALUATION_EXAMPLES_DONE = Gauge("dynaboard_evaluation_examples_done", "Of these, predicted.")

# dynaboard.measurement.canary: a share of speed, below zero when the machine is slower than is remembered of it.
CANARY_DRIFT = Gauge("dynaboard_canary_drift_ratio", "Drift at the newest measurement.", ["hardware_profile"])
CANARY_LIMIT = Gauge("dynaboard_canary_limit_ratio", "Drift that is usual, at most.", ["hardware_profile"])

DATABASE_ERRORS = Counter("dynaboard_database_errors_total", "Statements or connections that failed.", ["error"])
STORAGE_ERRORS = Counter("dynaboard_storage_errors_total", "Requests the object store failed.", ["operation"])
SCRAPE_ERRORS = Counter("dynaboard_scrape_errors_total", "Scrapes that lack the platform's state.")


@dataclass(frozen=True)
class State:
    """A gauge of the platform's state, read from its database or disk at the scrape (dynaboard.platform_state).

    Every process of a cluster shows the same: take max, not sum, over instances.
    """

    name: str
    documentation: str
    labels: tuple[str, ...] = ()

    def family(self) -> GaugeMetricFamily:
        """An empty one, to be filled."""
        return GaugeMetricFamily(self.name, self.documentation, labels=self.labels)


DATABASE_UP = State("dynaboard_database_up", "Whether the database answered the last time it was asked.")
# States: waiting (ready to be taken), scheduled (a later attempt), running, failed.
JOBS = State("dynaboard_jobs", "Jobs in the database.", ("queue", "state"))
QUEUE_AGE = State("dynaboard_queue_oldest_job_age_seconds", "How long the oldest waiting job has waited.", ("queue",))
STALLED_JOBS = State("dynaboard_stalled_jobs", "Running jobs whose worker is silent or gone.", ("queue",))
SUBMISSIONS_NOW = State("dynaboard_submissions_by_status", "Submissions.", ("status",))
SILENCE = State("dynaboard_submission_silence_seconds", "Since the most silent one was last heard of.", ("status",))
EVALUATIONS = State("dynaboard_evaluations_by_status", "Evaluations: submissions on datasets.", ("status",))
LAST_THROUGHPUT = State(
    "dynaboard_last_measured_throughput_examples_per_second", "Newest of the profile.", ("hardware_profile",)
)
LAST_MEMORY = State("dynaboard_last_measured_memory_bytes", "Newest of the profile.", ("hardware_profile",))
LAST_LATENCY = State("dynaboard_last_measured_latency_seconds", "Newest median of the profile.", ("hardware_profile",))
DISK_FREE = State("dynaboard_disk_free_bytes", "Free for us on the disk of the data folder.")
DISK_SIZE = State("dynaboard_disk_size_bytes", "Size of the disk of the data folder.")


def _show_from_the_start() -> None:
    """Series of which all labels are known begin at zero: a rate needs a value before the first event."""
    for queue in ("evaluator", "scoring", "housekeeping"):
        WORKERS.labels(queue)
    for task in TASKS:
        EXAMPLES.labels(task)
        LANDING_SECONDS.labels(task)
        for end in (("finished", ""), ("cancelled", ""), ("failed", "model"), ("failed", "platform")):
            SUBMISSIONS.labels(task, *end)
    for job in ("evaluate", "score"):
        for outcome in ("ok", "model", "platform", "handed_back"):
            JOB_SECONDS.labels(job, outcome)
    for outcome in ("ready", "model", "platform", "stopped"):
        DEPLOYMENTS.labels("local", outcome)
    for purpose in ("evaluation", "interactive"):
        for series in (MODELS_RUNNING, MODEL_MEMORY_BYTES, MODEL_REQUEST_SECONDS):
            series.labels(purpose)
    for reason in ("memory", "processes"):
        WATCHDOG_KILLS.labels(reason)
    for error in ("OperationalError", "InterfaceError"):
        DATABASE_ERRORS.labels(error)
    for operation in ("GetObject", "PutObject", "UploadPart"):
        STORAGE_ERRORS.labels(operation)


_show_from_the_start()

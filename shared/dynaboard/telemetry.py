"""Every Prometheus series, in one list, with units in their names."""

from prometheus_client import Counter, Gauge, Histogram

HTTP_REQUESTS = Counter("dynaboard_http_requests_total", "Requests answered.", ["service", "method", "route", "status"])
HTTP_SECONDS = Histogram("dynaboard_http_request_seconds", "Time to answer.", ["service", "route"])
SUBMISSIONS = Counter("dynaboard_submissions_total", "Submissions that reached an end.", ["task", "status"])
EXAMPLES = Counter("dynaboard_examples_predicted_total", "Examples predicted.", ["task"])
DEPLOYMENTS = Counter("dynaboard_deployments_total", "Model servers started.", ["deployer", "outcome"])
JOBS_RUNNING = Gauge("dynaboard_jobs_running", "Jobs running now.", ["job"])
JOB_SECONDS = Histogram(
    "dynaboard_job_seconds", "Time a job took.", ["job", "outcome"], buckets=(0.1, 1, 5, 15, 60, 300, 1800, 7200)
)
UPLOADED_BYTES = Counter("dynaboard_uploaded_bytes_total", "Bytes of archives received.")

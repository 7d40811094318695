"""One evaluation: memory and latency of a submission over its run."""

from charts.dashboards.panel import DATASOURCE, RATE, Dashboard, Panel

# Only while the chosen submission is evaluated, and of the process that does it.
OF_THE_RUN = 'and on (instance) dynaboard_evaluation_info{submission="$submission"}'
EVALUATED = '{purpose="evaluation"}'
NAMED = 'max_over_time(dynaboard_evaluation_info{submission="$submission"}[$__range])'
REQUESTS_OF_THE_RUN = f"rate(dynaboard_model_request_seconds_bucket{EVALUATED}[{RATE}]) {OF_THE_RUN}"

SUBMISSION = {
    "name": "submission",
    "label": "Submission",
    "type": "query",
    "datasource": DATASOURCE,
    "query": {"query": "label_values(dynaboard_evaluation_info, submission)", "refId": "submissions"},
    "refresh": 2,
    "sort": 0,
    "includeAll": False,
    "multi": False,
}

EVALUATION = Dashboard(
    "evaluation",
    "Dynaboard: one evaluation",
    "Memory and latency of one submission over its run.",
    [
        Panel(
            "Model",
            "What is, or was, evaluated.",
            "none",
            {"{{model}}": f"max by (model, task, instance) ({NAMED})"},
            "table",
            12,
            4,
        ),
        Panel(
            "Progress",
            "Examples of the dataset under way that are predicted.",
            "percentunit",
            {"": f"(dynaboard_evaluation_examples_done / (dynaboard_evaluation_examples > 0)) {OF_THE_RUN}"},
            "stat",
            6,
            4,
        ),
        Panel(
            "Highest memory",
            "Of the moments that Prometheus saw; the measured peak is on the leaderboard.",
            "bytes",
            {"": f'max_over_time((dynaboard_model_memory_bytes{EVALUATED} {OF_THE_RUN})[$__range:])'},
            "stat",
            6,
            4,
        ),
        Panel(
            "Memory",
            "Resident memory of the model's process tree.",
            "bytes",
            {"{{instance}}": f'dynaboard_model_memory_bytes{EVALUATED} {OF_THE_RUN}'},
            width=12,
        ),
        Panel(
            "Latency",
            "Time the model was at one request, which may hold a batch.",
            "s",
            {
                f"p{share * 100:g}": f"histogram_quantile({share}, sum by (le) ({REQUESTS_OF_THE_RUN}))"
                for share in (0.5, 0.9, 0.99)
            },
            width=12,
        ),
        Panel(
            "Requests",
            "Answered by the model.",
            "reqps",
            {"{{instance}}": f"rate(dynaboard_model_request_seconds_count{EVALUATED}[{RATE}]) {OF_THE_RUN}"},
            width=12,
        ),
        Panel(
            "Examples predicted",
            "Outside measurements, whose answers are not counted again.",
            "ops",
            {"{{task}}": f"rate(dynaboard_examples_predicted_total[{RATE}]) and on (instance, task) "
                         'dynaboard_evaluation_info{submission="$submission"}'},
            width=12,
        ),
        Panel(
            "Datasets",
            "Which one is predicted and then measured, and for which suite it was perturbed.",
            "none",
            {"{{dataset}} {{suite}}": f"dynaboard_evaluation_dataset_info {OF_THE_RUN}"},
            width=24,
            height=6,
        ),
    ],
    [SUBMISSION],
    "5s",
)  # fmt: skip

"""What waits, what runs, for how long, and how it ends."""

from charts.dashboards.panel import RATE, Dashboard, Panel, quantiles, state_of

QUEUE = Dashboard(
    "queue",
    "Dynaboard: queue",
    "What waits, what runs, for how long, and how it ends.",
    [
        Panel("Waiting jobs", "Ready to be taken.", "none", state_of('dynaboard_jobs{state="waiting"}', "queue")),
        Panel(
            "Oldest waiting job",
            "For how long it has waited.",
            "s",
            state_of("dynaboard_queue_oldest_job_age_seconds", "queue"),
        ),
        Panel("Workers", "Alive, in all processes.", "none", {"{{queue}}": "sum by (queue) (dynaboard_workers)"}),
        Panel(
            "Jobs by state",
            "Scheduled ones are later attempts of jobs that failed.",
            "none",
            {"{{queue}} {{state}}": "max by (queue, state) (dynaboard_jobs)"},
        ),
        Panel(
            "Stalled jobs",
            "Running ones whose worker is silent; the sweep gives them away.",
            "none",
            state_of("dynaboard_stalled_jobs", "queue"),
        ),
        Panel("Jobs running", "In all processes.", "none", {"{{job}}": "sum by (job) (dynaboard_jobs_running)"}),
        Panel(
            "Time a job takes",
            "Ended ones, whatever their outcome.",
            "s",
            quantiles("dynaboard_job_seconds_bucket", "job", 0.5, 0.95),
        ),
        Panel(
            "Jobs ended",
            "By outcome: ok, or whose fault.",
            "ops",
            {"{{job}} {{outcome}}": f"sum by (job, outcome) (rate(dynaboard_job_seconds_count[{RATE}]))"},
        ),
        Panel(
            "Examples predicted",
            "By all evaluators.",
            "ops",
            {"{{task}}": f"sum by (task) (rate(dynaboard_examples_predicted_total[{RATE}]))"},
        ),
        Panel("Submissions", "By status.", "none", state_of("dynaboard_submissions_by_status", "status")),
        Panel(
            "Evaluations",
            "Submissions on datasets and their perturbed copies, by status.",
            "none",
            state_of("dynaboard_evaluations_by_status", "status"),
        ),
        Panel(
            "Longest silence",
            "Since the most silent submission of a status was last heard of; running ones report every second.",
            "s",
            state_of("dynaboard_submission_silence_seconds", "status"),
        ),
    ],
)

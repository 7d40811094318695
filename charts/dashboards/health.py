"""Whether the platform answers, how fast, and what fails."""

from charts.dashboards.panel import ASKED, RATE, Dashboard, Panel, quantiles, stat

HEALTH = Dashboard(
    "health",
    "Dynaboard: health",
    "Whether the platform answers, how fast, and what fails.",
    [
        stat("Processes that answer", "Scraped without an error.", "none", 'sum(up{job="dynaboard"})'),
        stat("Database", "1: it answers every process.", "none", "min(dynaboard_database_up)"),
        stat(
            "Evaluators alive", "Workers of the queue evaluator.", "none", 'sum(dynaboard_workers{queue="evaluator"})'
        ),
        stat(
            "Scoring workers alive", "Workers of the queue scoring.", "none", 'sum(dynaboard_workers{queue="scoring"})'
        ),
        stat(
            "Alerts", "Firing now.", "none", 'count(ALERTS{alertname=~"Dynaboard.*", alertstate="firing"}) or vector(0)'
        ),
        stat("Watched boards", "Streams of leaderboard events open now.", "none", "sum(dynaboard_event_streams)"),
        Panel(
            "Requests",
            "Answered by each service, without probes and scrapes.",
            "reqps",
            {"{{service}}": f"sum by (service) (rate(dynaboard_http_requests_total{{{ASKED}}}[{RATE}]))"},
        ),
        Panel(
            "Requests by status",
            "Of the gateway: 4xx is the caller's doing, 5xx ours.",
            "reqps",
            {
                "{{status}}": "sum by (status) "
                f'(rate(dynaboard_http_requests_total{{service="gateway", {ASKED}}}[{RATE}]))'
            },
        ),
        Panel(
            "Share of errors",
            "Requests that ended with a status of 500 or above.",
            "percentunit",
            {"{{service}}": "service:dynaboard_http_errors:ratio_rate5m"},
        ),
        Panel(
            "Time to answer",
            "Until the answer begins, all routes of a service together.",
            "s",
            quantiles(f"dynaboard_http_request_seconds_bucket{{{ASKED}}}", "service", 0.5, 0.95),
        ),
        Panel(
            "Slowest routes of the gateway",
            "95th percentile; parts of archives wait for their senders.",
            "s",
            {"{{route}}": 'topk(8, route:dynaboard_http_request_seconds:p95_rate5m{service="gateway"})'},
        ),
        Panel(
            "Landing to board",
            "From the end of a submission's last evaluation to the board that holds it.",
            "s",
            quantiles("dynaboard_landing_seconds_bucket", "", 0.5, 0.95),
        ),
        Panel(
            "Ends of submissions",
            "In six hours, and by whose fault where they failed.",
            "none",
            {"{{status}} {{fault}}": "status_fault:dynaboard_submissions:increase6h"},
        ),
        Panel(
            "Database errors",
            "Statements and connections that failed; IntegrityError is two who were equally fast, and no trouble.",
            "ops",
            {"{{error}}": f"sum by (error) (rate(dynaboard_database_errors_total[{RATE}]))"},
        ),
        Panel(
            "Object store errors",
            "Requests that it refused as its own failure, or did not answer.",
            "ops",
            {"{{operation}}": f"sum by (operation) (rate(dynaboard_storage_errors_total[{RATE}]))"},
        ),
    ],
)

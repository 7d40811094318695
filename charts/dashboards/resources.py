"""Memory, processors, disks, model servers, and what measurements found."""

from charts.dashboards.panel import RATE, Dashboard, Panel, quantiles, state_of

RESOURCES = Dashboard(
    "resources",
    "Dynaboard: resources",
    "Memory, processors, disks, model servers, and what measurements found.",
    [
        Panel(
            "Memory of the services",
            "Resident, of each process, models not counted.",
            "bytes",
            {"{{instance}}": "process_resident_memory_bytes and on (instance) dynaboard_build_info"},
        ),
        Panel(
            "Processor of the services",
            "Cores in use by each process, models not counted.",
            "none",
            {"{{instance}}": f"rate(process_cpu_seconds_total[{RATE}]) and on (instance) dynaboard_build_info"},
        ),
        Panel(
            "Open files",
            "Of those each process may have.",
            "percentunit",
            {"{{instance}}": "process_open_fds / process_max_fds and on (instance) dynaboard_build_info"},
        ),
        Panel(
            "Free disk",
            "Share of the disk with the data folder.",
            "percentunit",
            {"{{instance}}": "instance:dynaboard_disk_free:ratio"},
        ),
        Panel(
            "Uploads", "Bytes of archives.", "Bps", {"received": f"sum(rate(dynaboard_uploaded_bytes_total[{RATE}]))"}
        ),
        Panel(
            "Models running",
            "Deployed to be evaluated, or to be talked to.",
            "none",
            {"{{purpose}}": "sum by (purpose) (dynaboard_models_running)"},
        ),
        Panel(
            "Memory of models",
            "Resident, of their process trees.",
            "bytes",
            {"{{purpose}}": "sum by (purpose) (dynaboard_model_memory_bytes)"},
        ),
        Panel(
            "Time of models",
            "They were at one request, which may hold a batch.",
            "s",
            quantiles("dynaboard_model_request_seconds_bucket", "purpose", 0.5, 0.99),
        ),
        Panel(
            "Model servers started",
            "In an hour, by outcome: ready, or whose fault.",
            "none",
            {
                "{{deployer}} {{outcome}}": "sum by (deployer, outcome) (increase(dynaboard_deployments_total[1h]))",
            },
        ),
        Panel(
            "Time until a model is ready",
            "From the launch of its server to its first answer.",
            "s",
            quantiles("dynaboard_deployment_ready_seconds_bucket", "deployer", 0.5, 0.95),
        ),
        Panel(
            "Models killed",
            "In an hour, for taking more memory or processes than they may.",
            "none",
            {"{{reason}}": "sum by (reason) (increase(dynaboard_watchdog_kills_total[1h]))"},
        ),
        Panel(
            "Canary drift",
            "How much faster than is remembered a machine was at its newest measurement, and what of that is usual.",
            "percentunit",
            {
                "{{instance}} {{hardware_profile}}": "abs(dynaboard_canary_drift_ratio)",
                "{{instance}} {{hardware_profile}} usual": "dynaboard_canary_limit_ratio",
            },
        ),
        Panel(
            "Newest throughput",
            "Measured last on each hardware profile, in examples a second.",
            "none",
            state_of("dynaboard_last_measured_throughput_examples_per_second", "hardware_profile"),
        ),
        Panel(
            "Newest memory",
            "Mean of the model measured last on each hardware profile.",
            "bytes",
            state_of("dynaboard_last_measured_memory_bytes", "hardware_profile"),
        ),
        Panel(
            "Newest latency",
            "Median of the model measured last on each hardware profile.",
            "s",
            state_of("dynaboard_last_measured_latency_seconds", "hardware_profile"),
        ),
    ],
)

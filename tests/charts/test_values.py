"""Values that are wrong are refused before anything is made, with what is wrong."""

from typing import Any

import helm_python as helm
import pytest

from tests.charts.rendered import CHART, EXTERNAL, TRIAL, VALUES, render


@pytest.mark.parametrize("name", VALUES)
def test_right_values_are_taken(name: str) -> None:
    with helm.Chart.load(CHART) as chart:
        chart.validate_schema(VALUES[name])


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"gateway": {"replica": 2}}, "'replica' not allowed"),
        ({"gatway": {"replicas": 2}}, "'gatway' not allowed"),
        ({"ingress": {"tls": {"enable": True}}}, "'enable' not allowed"),
        ({"gateway": {"replicas": "two"}}, "got string, want integer"),
        ({"gateway": {"replicas": -1}}, "minimum: got -1, want 0"),
        ({"gateway": {"autoscaling": {"queueMetric": "x"}}}, "'queueMetric' not allowed"),
        ({"measurement": {"profile": "fast"}}, "value must be one of 'quick', 'standard', 'full'"),
        ({"models": {"memory": "4 GB"}}, "does not match pattern"),
        ({"models": {"memory": "0Gi"}}, "does not match pattern"),
        ({"models": {"tolerations": [{"effect": "Never"}]}}, "value must be one of 'NoSchedule'"),
        ({"settings": {"DYNABOARD_LOG_LEVELS": "INFO"}}, "'DYNABOARD_LOG_LEVELS' not allowed"),
        ({"upload": {"settings": {"DYNABOARD_TELEMETRY": "x"}}}, "'DYNABOARD_TELEMETRY' not allowed"),
        ({"evaluator": {"settings": {"DYNABOARD_MODEL_STARTUP_S": "long"}}}, "got string, want number"),
        ({"storage": {"url": "s3.example.org"}}, "does not match pattern"),
        ({"image": {"digest": "sha256:abc"}}, "does not match pattern"),
        ({"trial": {"postgresql": {"runAsUser": 0}}}, "minimum: got 0, want 1"),
    ],
    ids=str,
)
def test_wrong_values_are_refused(values: dict[str, Any], complaint: str) -> None:
    with pytest.raises(helm.HelmValuesError, match=complaint):
        render(EXTERNAL | values)


@pytest.mark.parametrize("secret", ["DATABASE_URL", "ADMIN_KEY", "SIGNING_KEY", "S3_SECRET_KEY", "INTERNAL_TOKEN"])
def test_a_secret_among_the_settings_is_refused(secret: str) -> None:
    with pytest.raises(helm.HelmValuesError, match=f"'DYNABOARD_{secret}' not allowed"):
        render(EXTERNAL | {"settings": {f"DYNABOARD_{secret}": "x"}})


@pytest.mark.parametrize("setting", ["DEPLOYER", "SANDBOX", "PLACE"])
def test_models_cannot_be_made_to_run_beside_the_evaluators_keys(setting: str) -> None:
    with pytest.raises(helm.HelmValuesError, match=f"'DYNABOARD_{setting}' not allowed"):
        render(EXTERNAL | {"evaluator": {"settings": {f"DYNABOARD_{setting}": "local"}}})


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, r"name a PostgreSQL in database.existingSecret, or set trial.postgresql.enabled=true"),
        ({"database": {"existingSecret": "db"}}, r"name an S3 server in storage.url and storage.existingSecret"),
        (EXTERNAL | TRIAL, "database.existingSecret and trial.postgresql.enabled exclude each other"),
        (EXTERNAL | {"trial": {"s3": {"enabled": True}}}, "storage.url and trial.s3.enabled exclude each other"),
        (EXTERNAL | {"measurement": {"memorySampler": "prometheus"}}, "needs measurement.prometheus.url"),
    ],
    ids=["nothing", "no store", "two databases", "two stores", "no Prometheus"],
)
def test_values_that_contradict_each_other_are_refused_in_a_sentence(values: dict[str, Any], complaint: str) -> None:
    with pytest.raises(helm.HelmError, match=complaint):
        render(values)

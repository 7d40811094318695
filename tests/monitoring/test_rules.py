"""The scrape configuration and the rules, as promtool sees them, and what an operator finds behind each alert."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

from services.scoring.app import create_app
from services.scoring.settings import ScoringSettings
from tests.monitoring.series import named_in, series_names

ROOT = Path(__file__).parents[2]
MONITORING = ROOT / "charts" / "dynaboard" / "monitoring"
ALERT_TESTS = Path(__file__).with_name("alerts_test.yml")
GROUPS = [
    group
    for file in sorted((MONITORING / "rules").glob("*.yml"))
    for group in yaml.safe_load(file.read_text(encoding="utf-8"))["groups"]
]
RULES: list[dict[str, Any]] = [rule for group in GROUPS for rule in group["rules"]]
ALERTS = [rule for rule in RULES if "alert" in rule]
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")


def promtool(*arguments: str, given: str = "") -> str:
    """What promtool says; fails the test when it finds fault."""
    done = subprocess.run(["promtool", *arguments], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@needs_promtool
def test_promtool_accepts_the_configuration_and_its_rules(tmp_path: Path) -> None:
    copy = shutil.copytree(MONITORING, tmp_path / "charts" / "dynaboard" / "monitoring")
    token = tmp_path / ".dynaboard" / "secrets" / "telemetry-token"
    token.parent.mkdir(parents=True)
    token.write_text("a token")
    said = promtool("check", "config", "--lint-fatal", str(copy / "prometheus.yml"))
    assert said.count("SUCCESS") == 4


@needs_promtool
def test_each_alert_fires_when_it_should_and_none_on_a_healthy_platform() -> None:
    assert "SUCCESS" in promtool("test", "rules", str(ALERT_TESTS))


def test_each_alert_has_a_test() -> None:
    tested = {
        case["alertname"]
        for test in yaml.safe_load(ALERT_TESTS.read_text(encoding="utf-8"))["tests"]
        for case in test.get("alert_rule_test", ())
        if case["exp_alerts"]
    }
    assert tested == {alert["alert"] for alert in ALERTS}


@needs_promtool
def test_names_and_help_texts_are_as_prometheus_wants_them(platform: dict[str, Any]) -> None:
    with TestClient(create_app(ScoringSettings(**platform))) as service:
        lines = service.get("/metrics").text.splitlines(keepends=True)
    ours = "".join(line for line in lines if "dynaboard_" in line)
    assert promtool("check", "metrics", given=ours) == ""


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_an_alert_says_what_is_wrong_and_where_to_read_what_to_do(alert: dict[str, Any]) -> None:
    annotations = alert["annotations"]
    assert set(annotations) == {"summary", "description", "runbook"}
    assert alert["labels"]["severity"] in {"warning", "critical"}
    file, anchor = annotations["runbook"].split("#")
    headings = re.findall(r"^#+ (.+)$", (ROOT / file).read_text(encoding="utf-8"), re.M)
    assert anchor in {heading.lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.get("alert") or rule["record"])
def test_a_rule_names_only_series_that_exist(rule: dict[str, Any]) -> None:
    recorded = {rule["record"] for rule in RULES if "record" in rule}
    assert named_in(rule["expr"]) <= series_names()
    assert set(re.findall(r"\w+:dynaboard_\w+:\w+|dynaboard:\w+:\w+", rule["expr"])) <= recorded

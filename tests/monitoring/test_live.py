"""A real Prometheus beside the running platform: every panel and every recording rule has data, no alert is broken."""

import json
import shutil
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest

from charts.dashboards import DASHBOARDS
from dynaboard.client import Client
from dynaboard.embedded import free_port
from dynaboard.status import ENDS
from examples.local_platform import LocalPlatform, local_platform
from tests.monitoring.prometheus import Prometheus, prometheus, wait_until
from tests.monitoring.test_rules import RULES

pytestmark = pytest.mark.skipif(shutil.which("prometheus") is None, reason="prometheus is not installed")

EXAMPLES = 240
# Takes its time, so that Prometheus sees it at work.
HANDLER = """
    import time

    class Handler:
        def load(self, model_dir):
            self.ballast = bytearray(64 * 1024 * 1024)

        def predict(self, examples):
            time.sleep(0.005 * len(examples))
            return [{"id": example["id"], "label": "neutral"} for example in examples]
"""
MANIFEST = {
    "name": "sleepy", "task": "sentiment", "handler": "handler.py:Handler", "batch_size": 8,
    "card": {"summary": "Sleeps on every example", "licence": "MIT"},
}  # fmt: skip
PANELS = {f"{dashboard.name}: {panel.title}": panel.queries for dashboard in DASHBOARDS for panel in dashboard.panels}


@dataclass(frozen=True)
class Watched:
    """A platform that has evaluated a model, and the Prometheus that saw it."""

    platform: LocalPlatform
    prometheus: Prometheus
    submission: str
    began: float

    def filled_in(self, expression: str) -> str:
        """As Grafana would ask for the time of this test and the one submission."""
        values = {"$__rate_interval": "10s", "$__range": "10m", "$submission": self.submission}
        for name, value in values.items():
            expression = expression.replace(name, value)
        return expression

    def values(self, expression: str) -> list[list[float]]:
        """What an expression gave since the platform began."""
        return self.prometheus.over(self.filled_in(expression), time.monotonic() - self.began)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """One model evaluated and talked to under the eyes of Prometheus."""
    folder, port, began = tmp_path_factory.mktemp("watched"), free_port(), time.monotonic()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DYNABOARD_PERTURBED_ROLES", "[]")
        with local_platform(folder / "platform", port) as platform:
            token = folder / "platform" / "secrets" / "telemetry-token"
            with prometheus(folder, f"127.0.0.1:{port}", token) as watching:
                submission = evaluate(Client(platform.url, platform.key), folder)
                wait_until(lambda: watching.now('dynaboard_submissions_by_status{status="finished"} == 1'), 20)
                for cost in ("memory_bytes", "throughput_examples_per_second", "latency_seconds"):
                    wait_until(lambda cost=cost: watching.now(f"dynaboard_last_measured_{cost}"), 20)
                wait_until(lambda: watching.now("dynaboard:landing_seconds:p95_rate1h > 0"), 20)
                yield Watched(platform, watching, submission, began)


def evaluate(client: Client, folder: Path) -> str:
    """Submit the model, wait for its end, and ask it something; its id."""
    rows = [{"id": str(number), "statement": f"It is {number}.", "label": "neutral"} for number in range(EXAMPLES)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = {"task": "sentiment", "name": "numbers", "format": "jsonl", "role": "scoring"}
    words |= {"licence": "CC0-1.0", "citation": "This test."}
    with zipfile.ZipFile(folder / "sleepy.zip", "w") as packed:
        packed.writestr("dynaboard.yaml", json.dumps(MANIFEST))
        packed.writestr("handler.py", dedent(HANDLER))
    with client:
        client.datasets.add(folder / "rows.jsonl", words)
        submitted = client.submissions.submit(folder / "sleepy.zip", publish=True)
        wait_until(lambda: client.submissions.get(submitted.id).status in ENDS, 120)
        ended = client.submissions.get(submitted.id)
        assert ended.status == "finished", ended.reason
        client.submissions.predict(submitted.id, [{"statement": "What a day!"}])
    return submitted.id


def test_prometheus_reads_the_platform_with_its_token(watched: Watched) -> None:
    (target,) = watched.prometheus.ask("targets")["activeTargets"]
    assert (target["health"], target["lastError"]) == ("up", "")


def test_strangers_do_not(watched: Watched) -> None:
    assert httpx.get(f"{watched.platform.url}/metrics").status_code == 401


@pytest.mark.parametrize("panel", PANELS)
def test_each_query_of_a_panel_has_data(watched: Watched, panel: str) -> None:
    assert {legend: bool(watched.values(query)) for legend, query in PANELS[panel].items()} == dict.fromkeys(
        PANELS[panel], True
    )


@pytest.mark.parametrize("name", [rule["record"] for rule in RULES if "record" in rule])
def test_each_recording_rule_has_data(watched: Watched, name: str) -> None:
    assert watched.values(name)


def test_every_rule_is_evaluated_without_an_error(watched: Watched) -> None:
    rules = [rule for group in watched.prometheus.ask("rules")["groups"] for rule in group["rules"]]
    assert {rule["name"]: (rule["health"], rule.get("lastError", "")) for rule in rules} == {
        rule.get("alert") or rule["record"]: ("ok", "") for rule in RULES
    }


def test_a_healthy_platform_alarms_nobody(watched: Watched) -> None:
    assert watched.values('ALERTS{alertstate="firing"}') == []


def test_the_memory_of_the_evaluated_model_was_seen(watched: Watched) -> None:
    (memory,) = watched.values(
        'dynaboard_model_memory_bytes{purpose="evaluation"} and on (instance) '
        'dynaboard_evaluation_info{submission="$submission"}'
    )
    assert 64 * 1024**2 < max(memory) < 1024**3


def test_nothing_of_an_evaluation_stays_when_it_has_ended(watched: Watched) -> None:
    for gone in ("dynaboard_evaluation_info", "dynaboard_evaluation_dataset_info"):
        assert watched.prometheus.now(gone) == []
    assert watched.prometheus.now('dynaboard_model_memory_bytes{purpose="evaluation"} > 0') == []


def test_labels_take_few_values(watched: Watched) -> None:
    counted: list[dict[str, Any]] = watched.prometheus.now('count by (__name__) ({__name__=~"dynaboard_.+"})')
    assert max(int(each["value"][1]) for each in counted) < 2_000
    assert watched.prometheus.now('{__name__=~"dynaboard_http.+", route=~".*[0-9a-f]{32}.*"}') == []

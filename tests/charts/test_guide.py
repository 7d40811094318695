"""The operator's guide says what is: values are taken, rules parse, links lead somewhere, tables are current."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import helm_python as helm
import pytest
import yaml

from charts import reference
from charts.reference.values_table import leaves
from tests.charts.rendered import CHART, documents, render

GUIDE = (CHART / "README.md").read_text(encoding="utf-8")
BLOCKS = [
    re.sub(rf"^{indent}", "", block, flags=re.MULTILINE)
    for indent, block in re.findall(r"^( *)```yaml\n(.*?)^ *```$", GUIDE, re.MULTILINE | re.DOTALL)
]
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")


def block(first_line: str) -> str:
    (found,) = (text for text in BLOCKS if text.startswith(f"# {first_line}\n"))
    return found


def check(*arguments: str) -> None:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tables_are_those_of_the_values() -> None:
    assert reference.guide_text() == GUIDE, "run python -m charts.reference"


def test_every_default_is_in_the_schema_with_its_meaning() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
    described = {".".join(path) for path, meaning in leaves(schema, schema) if meaning}

    def defaults(values: object, path: tuple[str, ...] = ()) -> list[str]:
        name = ".".join(path)
        if name in described or not isinstance(values, dict):
            return [name]
        return [found for key, value in values.items() for found in defaults(value, (*path, key))]

    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    assert set(defaults(values)) == described - {"global"}


def test_the_production_values_are_taken() -> None:
    values = yaml.safe_load(block("values.yaml"))
    kinds = {document["kind"] for document in render(values)}
    assert {"Deployment", "Ingress", "ResourceQuota"} <= kinds


@pytest.mark.parametrize("value", sorted(set(re.findall(r"--set ([^\s`)]+)", GUIDE))))
def test_values_set_on_the_command_line_exist(value: str) -> None:
    with helm.Chart.load(CHART) as chart:
        chart.validate_schema(helm.parse_set_string(value))


@needs_promtool
def test_the_scrape_configuration_is_one(tmp_path: Path) -> None:
    token, configuration = tmp_path / "token", tmp_path / "prometheus.yml"
    token.write_text("token")
    text = block("prometheus.yml").replace("/etc/prometheus/dynaboard/telemetry-token", str(token))
    # Some builds of promtool know nothing of clusters.
    text = re.sub(r"kubernetes_sd_configs: .*", "static_configs: [{targets: [gateway]}]", text)
    configuration.write_text(text, encoding="utf-8")
    check("check", "config", str(configuration))


@needs_promtool
def test_the_metric_that_evaluators_scale_by_counts_what_waits_and_runs(tmp_path: Path) -> None:
    (rule,) = yaml.safe_load(block("prometheus-adapter"))
    jobs = [
        {"series": f'dynaboard_jobs{{queue="{queue}", state="{state}", pod="{pod}"}}', "values": "2x5"}
        for queue in ("evaluator", "scoring")
        for state in ("waiting", "running", "failed")
        for pod in ("a", "b")
    ]
    expected = {"expr": rule["metricsQuery"], "eval_time": "1m", "exp_samples": [{"value": 4}]}
    test = {"rule_files": [], "tests": [{"interval": "15s", "input_series": jobs, "promql_expr_test": [expected]}]}
    file = tmp_path / "test.yml"
    file.write_text(yaml.safe_dump(test), encoding="utf-8")
    check("test", "rules", str(file))
    (scaler,) = (
        d for d in documents("everything on") if d["kind"] == "HorizontalPodAutoscaler" and "External" in str(d)
    )
    assert scaler["spec"]["metrics"][0]["external"]["metric"]["name"] == rule["name"]["as"]


def test_every_link_leads_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", GUIDE)
    assert [target for target in targets if not (CHART / target).exists()] == []


def test_every_object_that_the_guide_names_is_made() -> None:
    made = {f"{d['kind'].lower()}/{d['metadata']['name']}" for d in documents("trial")}
    named = set(re.findall(r"\b((?:deployment|service|job|secret|configmap)/dynaboard-[a-z-]+)", GUIDE))
    assert named
    assert [name for name in named if name.replace("/dynaboard", "/demo-dynaboard") not in made] == []

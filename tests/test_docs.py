"""Nothing is undocumented: each setting, status, verb, metric, perturbation and series occurs in the documentation."""

import re
from pathlib import Path

import pytest
from prometheus_client import Counter, Gauge, Histogram, Info
from typer.main import get_command

from dynaboard import telemetry
from dynaboard.cli import app as command_line
from dynaboard.status import Status
from dynaboard.telemetry import State
from services.evaluator.perturbations import PERTURBATIONS
from services.evaluator.settings import EvaluatorSettings
from services.gateway.settings import GatewaySettings
from services.scoring.metrics import METRICS
from services.scoring.settings import ScoringSettings
from services.upload.settings import UploadSettings

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
SETTINGS = sorted(
    {
        f"DYNABOARD_{name.upper()}"
        for settings in (UploadSettings, EvaluatorSettings, ScoringSettings, GatewaySettings)
        for name in settings.model_fields
    }
)
VERBS = sorted(getattr(get_command(command_line), "commands", {}))
SERIES = sorted(series.name for series in vars(telemetry).values() if isinstance(series, State)) + sorted(
    next(iter(series.describe())).name
    for series in vars(telemetry).values()
    if isinstance(series, Counter | Gauge | Histogram | Info)
)


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_is_documented(setting: str) -> None:
    assert f"`{setting}`" in TEXT


@pytest.mark.parametrize("status", list(Status))
def test_every_status_is_documented(status: Status) -> None:
    assert re.search(rf"\b{status}\b", TEXT)


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_every_metric_is_documented(metric: str) -> None:
    assert f"`{metric}`" in TEXT


@pytest.mark.parametrize("perturbation", sorted(PERTURBATIONS))
def test_every_perturbation_is_documented(perturbation: str) -> None:
    assert re.search(rf"\b{perturbation}\b", TEXT)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_documented(verb: str) -> None:
    assert f"dynaboard {verb}" in TEXT


@pytest.mark.parametrize("series", SERIES)
def test_every_prometheus_series_is_documented(series: str) -> None:
    assert series in TEXT


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z0-9-]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.M)] == []

"""The chart rendered without a cluster, for several sets of values."""

import re
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import helm_python as helm
import yaml

CHART = Path(__file__).parents[2] / "charts" / "dynaboard"
RELEASE, NAMESPACE, MODELS = "demo", "prod", "prod-models"
Document = dict[str, Any]

TRIAL: dict[str, Any] = {"trial": {"postgresql": {"enabled": True}, "s3": {"enabled": True}}}
EXTERNAL: dict[str, Any] = {
    "database": {"existingSecret": "db"},
    "storage": {"url": "https://s3.example.org", "existingSecret": "s3"},
}
SERVICES = ("gateway", "upload", "evaluator", "scoring")
VALUES: Mapping[str, dict[str, Any]] = {
    "trial": TRIAL,
    "trial without volumes": {
        "trial": {
            name: {"enabled": True, "persistence": {"enabled": False}, "resources": resources}
            for name, resources in {
                "postgresql": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"cpu": 1, "memory": "1Gi"}},
                "s3": {"requests": {"cpu": 0, "memory": "64Mi"}, "limits": {"cpu": 1, "memory": "1Gi"}},
            }.items()
        }
    },
    "external": EXTERNAL,
    "everything on": EXTERNAL
    | {
        "image": {"registry": "registry.example.org", "digest": "sha256:" + "0" * 64, "pullSecrets": ["pull"]},
        "settings": {"DYNABOARD_LOG_LEVEL": "WARNING"},
        "priorityClassName": "high",
        "podLabels": {"team": "nlp"},
        "secrets": {"existingSecret": "keys"},
        "ingress": {"enabled": True, "className": "nginx", "host": "nlp.example.org"},
        "monitoring": {
            "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
            "scrapeAnnotations": True,
            "rules": {"enabled": True},
            "dashboards": {"enabled": True},
        },
        "models": {
            "runtimeClass": "gvisor",
            "nodeSelector": {"pool": "measure"},
            "tolerations": [{"key": "measure", "operator": "Exists", "effect": "NoSchedule"}],
            "imagePullSecrets": ["pull"],
            "quota": {"pods": "20", "limits.memory": "64Gi"},
        },
        "measurement": {"memorySampler": "prometheus", "prometheus": {"url": "http://prometheus.monitoring:9090"}},
        "networkPolicy": {
            "gatewayFrom": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress-nginx"}}}],
            "apiServer": {"to": [{"ipBlock": {"cidr": "10.0.0.1/32"}}]},
            "database": {"to": [{"ipBlock": {"cidr": "10.0.1.0/24"}}]},
        },
        **{
            name: {
                "autoscaling": {"enabled": True},
                "nodeSelector": {"pool": "services"},
                "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule"}],
                "affinity": {"nodeAffinity": {}},
                "podAnnotations": {"a": "b"},
                "env": [{"name": "HTTPS_PROXY", "value": "http://proxy:3128"}],
            }
            for name in SERVICES
        },
    },
    "as little as possible": EXTERNAL
    | {
        "networkPolicy": {"enabled": False},
        "topologySpread": {"enabled": False},
        "models": {"createNamespace": False, "namespace": "elsewhere", "cpu": 0.25},
        **{name: {"replicas": 1, "pdb": {"enabled": False}} for name in SERVICES},
    },
}
GATE = re.compile(r'\(\$?\.Capabilities\.APIVersions\.Has "([^"]+)"\)|\$?\.Capabilities\.APIVersions\.Has "([^"]+)"')


def render(values: dict[str, Any], chart: Path = CHART, is_install: bool = True) -> list[Document]:
    """Every object of the chart, hooks included. Raises helm.HelmError for values that the chart refuses."""
    with helm.Chart.load(chart) as loaded:
        loaded.validate_schema(values)
        files = loaded.render(
            values, name=RELEASE, namespace=NAMESPACE, is_install=is_install, is_upgrade=not is_install
        )
    texts = [text for path, text in sorted(files.items()) if path.endswith(".yaml")]
    return [document for text in texts for document in yaml.safe_load_all(text) if document]


@cache
def documents(name: str) -> tuple[Document, ...]:
    """Every object of a set of values."""
    return tuple(render(VALUES[name]))


def of_kind(name: str, kind: str) -> list[Document]:
    """The objects of one kind."""
    return [document for document in documents(name) if document["kind"] == kind]


def named(name: str, kind: str, suffix: str) -> Document:
    """The one object whose name ends so."""
    (found,) = (d for d in of_kind(name, kind) if d["metadata"]["name"] == f"{RELEASE}-dynaboard{suffix}")
    return found


def pods(some: tuple[Document, ...] | list[Document]) -> Iterator[tuple[str, Document]]:
    """Every pod, or template of one: its object's kind and name, and metadata with spec."""
    for document in some:
        title = f"{document['kind']} {document['metadata']['name']}"
        if document["kind"] == "Pod":
            yield title, document
        elif document["kind"] in ("Deployment", "StatefulSet", "Job"):
            yield title, document["spec"]["template"]


def chart_for(api_versions: Mapping[str, bool], folder: Path) -> Path:
    """A copy of the chart as a cluster sees it that has, or has not, these: the renderer knows one cluster only."""

    def gate(match: re.Match[str]) -> str:
        asked = match[1] or match[2]
        return match[0] if asked not in api_versions else f"(eq {int(api_versions[asked])} 1)"

    copy = shutil.copytree(CHART, folder / "chart")
    for template in (copy / "templates").rglob("*.yaml"):
        template.write_text(GATE.sub(gate, template.read_text(encoding="utf-8")), encoding="utf-8")
    return copy

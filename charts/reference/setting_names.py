"""The settings that values may hold: all of a service but those that are secret or have a value of their own."""

from collections.abc import Mapping
from typing import Any

from dynaboard.settings import Settings
from services.evaluator.settings import EvaluatorSettings
from services.gateway.settings import GatewaySettings
from services.scoring.settings import ScoringSettings
from services.upload.settings import UploadSettings

SERVICES: Mapping[str, type[Settings]] = {
    "gateway": GatewaySettings,
    "upload": UploadSettings,
    "evaluator": EvaluatorSettings,
    "scoring": ScoringSettings,
}
# Secrets; values are kept where many can read them.
SECRETS = frozenset(
    {"database_url", "s3_access_key", "s3_secret_key", "internal_token", "admin_key", "telemetry_token", "signing_key"}
)
# The chart's own business; models run in pods and nowhere else.
WIRING = frozenset(
    {"data_dir", "port", "upload_url", "evaluator_url", "scoring_url", "place", "deployer", "sandbox", "runtime_python"}
)
# There is one way to say a thing: these have a value of the chart.
VALUES: Mapping[str, str] = {
    "s3_url": "storage.url",
    "s3_bucket": "storage.bucket",
    "s3_region": "storage.region",
    "drain_s": "gateway.drainSeconds",
    "finish_s": "gateway.finishSeconds",
    "evaluators": "evaluator.replicas",
    "model_memory_bytes": "models.memory",
    "model_threads": "models.threads",
    "measurement_profile": "measurement.profile",
    "memory_sampler": "measurement.memorySampler",
    "prometheus_url": "measurement.prometheus.url",
    "prometheus_selector": "measurement.prometheus.selector",
    "prometheus_scrape_s": "measurement.prometheus.scrapeSeconds",
    "kubernetes_namespace": "models.namespace",
    "kubernetes_image": "modelServer.image.repository",
    "kubernetes_image_pull_secrets": "models.imagePullSecrets",
    "kubernetes_runtime_class": "models.runtimeClass",
    "kubernetes_node_selector": "models.nodeSelector",
    "kubernetes_interactive_node_selector": "models.interactiveNodeSelector",
    "kubernetes_tolerations": "models.tolerations",
    "kubernetes_cpu": "models.cpu",
    "kubernetes_server_memory_bytes": "models.serverMemory",
    "kubernetes_disk_bytes": "models.disk",
    "kubernetes_scheduling_s": "models.schedulingSeconds",
    "kubernetes_image_pull_s": "models.imagePullSeconds",
}
# What pydantic says of a setting and Helm can check.
KEPT = frozenset({"type", "enum", "const", "items", "anyOf", "minimum", "exclusiveMinimum", "additionalProperties"})


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"DYNABOARD_{name.upper()}"


def settings_schemas() -> dict[str, Any]:
    """A JSON schema for each place of the values that holds settings, by its name in `$defs`."""
    each = {f"{service}Settings": _schema(_properties(settings)) for service, settings in SERVICES.items()}
    everything = {name: kind for settings in SERVICES.values() for name, kind in _properties(settings).items()}
    return {"settings": _schema(everything), **each}


def _schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": dict(sorted(properties.items()))}


def _properties(settings: type[Settings]) -> dict[str, Any]:
    schema = settings.model_json_schema()
    return {
        variable(name): _simple(kind, schema.get("$defs", {}))
        for name, kind in schema["properties"].items()
        if name not in SECRETS | WIRING | VALUES.keys()
    }


def _simple(kind: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(kind, list):
        return [_simple(one, definitions) for one in kind]
    if not isinstance(kind, dict):
        return kind
    if "$ref" in kind:
        return _simple(definitions[kind["$ref"].rpartition("/")[2]], definitions)
    return {key: _simple(value, definitions) for key, value in kind.items() if key in KEPT}

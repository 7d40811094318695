"""What the chart renders is what Kubernetes takes, from 1.25 to 1.37; older ones: tests/e2e/kubernetes."""

import json

import helm_python as helm
import kubernetes_validate
import pytest

from tests.charts.rendered import CHART, NAMESPACE, VALUES, documents

VERSIONS = [f"1.{minor}" for minor in range(25, 38)]
# Each of them once: most are alike in several sets of values.
DOCUMENTS = {json.dumps(document, sort_keys=True): document for name in VALUES for document in documents(name)}


@pytest.mark.parametrize("version", ["1.20.0", "1.25.0", "1.37.0"])
@pytest.mark.parametrize("name", VALUES)
def test_helm_finds_no_fault(name: str, version: str) -> None:
    found = helm.lint(CHART, VALUES[name], strict=True, namespace=NAMESPACE, kube_version=version)
    assert found["errors"] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_is_as_kubernetes_declares_it(version: str) -> None:
    for document in DOCUMENTS.values():
        kubernetes_validate.validate(document, version, strict=True)


def test_the_check_above_finds_a_mistyped_field() -> None:
    broken = next(document for document in DOCUMENTS.values() if document["kind"] == "Deployment") | {"replica": 1}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, "1.37", strict=True)


@pytest.mark.parametrize("name", VALUES)
def test_every_port_names_its_protocol(name: str) -> None:
    """Server-side apply on 1.20 refuses those that do not."""

    def ports(value: object) -> list[dict[str, object]]:
        if isinstance(value, list):
            return [port for item in value for port in ports(item)]
        if not isinstance(value, dict):
            return []
        here = [port for port in value.get("ports", []) if isinstance(port, dict)]
        return here + [port for item in value.values() for port in ports(item)]

    found = [port for document in documents(name) for port in ports(document)]
    assert found
    assert [port for port in found if "protocol" not in port] == []

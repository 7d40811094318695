"""The pod of a model: alike for all of them, shut in, and what every supported Kubernetes accepts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import kubernetes_validate
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.runtime import Limits
from services.evaluator.deployers.kubernetes.manifest import Identity, Terms, pod
from services.evaluator.deployers.purpose import EVALUATED, INTERACTIVE, REFERENCE, Purpose

LIMITS = Limits(memory_bytes=1024**3, threads=2, scratch_bytes=64 * 1024**2)
TERMS = Terms(
    image="registry.example/dynaboard/model-server:1",
    limits=LIMITS,
    cpu=2,
    server_bytes=512 * 1024**2,
    disk_bytes=10 * 1024**3,
    longest_s=86_400,
    pull_secrets=("registry",),
    runtime_class="gvisor",
    node_selector={"pool": "measure"},
    interactive_node_selector={"pool": "talk"},
    tolerations=({"key": "measure", "operator": "Exists"},),
)
ONE = Identity("dynaboard-evaluation-1", EVALUATED, "e1", "5" * 32, "a" * 64, "secret")
PURPOSES: tuple[Purpose, ...] = (EVALUATED, INTERACTIVE, REFERENCE)


def of(purpose: Purpose) -> dict[str, Any]:
    """A pod for a purpose."""
    return pod(replace(ONE, purpose=purpose), TERMS, "node-7" if purpose == REFERENCE else "")


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every value of a manifest with its path."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}/{index}")
    else:
        yield path, value


@pytest.mark.parametrize("purpose", PURPOSES)
@pytest.mark.parametrize("version", ["1.25", "1.31", "1.37"])
def test_every_supported_kubernetes_knows_all_its_fields(purpose: Purpose, version: str) -> None:
    kubernetes_validate.validate(of(purpose), version, strict=True)


@given(
    name=st.from_regex(r"[a-z0-9-]{1,40}", fullmatch=True), digest=st.text("0123456789abcdef", min_size=64, max_size=64)
)
def test_two_submissions_pods_differ_in_name_labels_digest_and_token_only(name: str, digest: str) -> None:
    other = Identity(f"x{name}", EVALUATED, "e2", "6" * 32, digest, "another")
    one, two = dict(leaves(pod(ONE, TERMS))), dict(leaves(pod(other, TERMS)))
    assert one.keys() == two.keys()
    assert {path for path in one if one[path] != two[path]} <= {
        "/metadata/name",
        "/metadata/labels/dynaboard.org/evaluator",
        "/metadata/labels/dynaboard.org/submission",
        *(f"/spec/{kind}/0/env/{index}/value" for kind in ("initContainers", "containers") for index in (0, 1)),
    }


@pytest.mark.parametrize("purpose", PURPOSES)
def test_what_it_requests_is_what_it_gets_so_that_it_is_guaranteed(purpose: Purpose) -> None:
    spec = of(purpose)["spec"]
    for container in (*spec["initContainers"], *spec["containers"]):
        memory = LIMITS.memory_bytes + LIMITS.scratch_bytes + TERMS.server_bytes
        amounts = {"cpu": "2000m", "memory": str(memory)}
        assert container["resources"] == {"requests": amounts, "limits": amounts}


@pytest.mark.parametrize("purpose", PURPOSES)
def test_it_is_shut_in(purpose: Purpose) -> None:
    spec = of(purpose)["spec"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False
    assert spec["dnsPolicy"] == "None"
    assert spec["restartPolicy"] == "Never"
    assert spec["runtimeClassName"] == "gvisor"
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] == 65532
    for container in (*spec["initContainers"], *spec["containers"]):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        }
        assert all(port["protocol"] == "TCP" for port in container["ports"])
        assert all("valueFrom" not in variable for variable in container["env"])
    assert {kind for volume in spec["volumes"] for kind in volume} == {"name", "emptyDir"}
    assert all(int(volume["emptyDir"]["sizeLimit"]) > 0 for volume in spec["volumes"])
    assert not {"hostNetwork", "hostPID", "hostIPC", "serviceAccountName"} & spec.keys()


def test_the_model_cannot_change_its_own_files() -> None:
    (serving,) = of(EVALUATED)["spec"]["containers"]
    assert {mount["mountPath"]: mount["readOnly"] for mount in serving["volumeMounts"]} == {
        "/model": True,
        "/tmp": False,
        "/run/dynaboard": False,
    }


def test_all_that_a_model_can_write_to_is_memory_of_its_own_so_that_it_cannot_fill_the_nodes_disk() -> None:
    spec = of(EVALUATED)["spec"]
    media = {volume["name"]: volume["emptyDir"].get("medium") for volume in spec["volumes"]}
    (serving,) = spec["containers"]
    writable = {mount["name"] for mount in serving["volumeMounts"] if not mount["readOnly"]}
    assert {media[name] for name in writable} == {"Memory"}


def test_no_two_measurements_share_a_node_and_questions_keep_away_from_them() -> None:
    required = of(EVALUATED)["spec"]["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    (rather,) = of(INTERACTIVE)["spec"]["affinity"]["podAntiAffinity"][
        "preferredDuringSchedulingIgnoredDuringExecution"
    ]
    assert required == [rather["podAffinityTerm"]]
    wanted, labels = required[0]["labelSelector"]["matchLabels"], of(EVALUATED)["metadata"]["labels"]
    assert wanted.items() <= labels.items()
    assert not wanted.items() <= of(INTERACTIVE)["metadata"]["labels"].items()
    assert not wanted.items() <= of(REFERENCE)["metadata"]["labels"].items()
    assert of(EVALUATED)["spec"]["nodeSelector"] == {"pool": "measure"}
    assert of(INTERACTIVE)["spec"]["nodeSelector"] == {"pool": "talk"}


def test_the_reference_runs_on_the_very_node_of_the_model_it_stands_beside() -> None:
    affinity = of(REFERENCE)["spec"]["affinity"]
    (term,) = affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term == {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-7"]}]}
    assert of(REFERENCE)["spec"]["containers"] == of(EVALUATED)["spec"]["containers"]


def test_a_lost_node_is_given_up_within_half_a_minute() -> None:
    tolerations = of(EVALUATED)["spec"]["tolerations"]
    assert tolerations[0] == {"key": "measure", "operator": "Exists"}
    assert {one["key"]: one["tolerationSeconds"] for one in tolerations[1:]} == {
        "node.kubernetes.io/not-ready": 30,
        "node.kubernetes.io/unreachable": 30,
    }

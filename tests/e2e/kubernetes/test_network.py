"""Whether the cluster's network keeps models in: what `helm test` says, and what the policies say where it cannot."""

import pytest
from kubernetes import client

from tests.e2e.kubernetes.installation import RELEASE, SERVICES, Installation


@pytest.fixture(scope="module")
def said(shared_installation: Installation) -> str:
    """What the pod in the models' namespace prints that `helm test` starts; it raises when the test fails."""
    with shared_installation.helm() as helm:
        helm.test(RELEASE, timeout=180, include_names=[f"{RELEASE}-test-network"])
    pods = shared_installation.cluster.pods(shared_installation.models)
    (pod,) = [pod for pod in pods if pod.metadata.name == f"{RELEASE}-test-network"]
    return shared_installation.cluster.log(pod)


def policies(found: Installation, namespace: str) -> list[client.V1NetworkPolicy]:
    """The network policies of a namespace."""
    with client.ApiClient(found.cluster.configuration) as api:
        return list(client.NetworkingV1Api(api).list_namespaced_network_policy(namespace).items)


def test_helm_test_says_that_the_gateway_answers(platform: Installation) -> None:
    with platform.helm() as helm:
        said = helm.test(RELEASE, timeout=180, logs=True, include_names=[f"{RELEASE}-test-gateway"])["logs"]
    assert "PASSED: the gateway answers" in said


def test_a_pod_like_a_models_reaches_nothing_where_the_network_enforces_policies(said: str) -> None:
    if "does not enforce NetworkPolicy" in said:
        reached = [line for line in said.splitlines() if "REACHED" in line and "not reached" not in line]
        pytest.skip(f"THIS CLUSTER DOES NOT ENFORCE NetworkPolicy: a pod like a model's reached {len(reached)} servers")
    assert "PASSED: a model reaches nothing" in said


def test_the_policy_of_models_lets_nothing_out_of_any_pod(platform: Installation) -> None:
    found = policies(platform, platform.models)
    everything = [policy for policy in found if not policy.spec.pod_selector.match_labels]
    assert everything
    for policy in everything:
        assert set(policy.spec.policy_types) == {"Ingress", "Egress"}
    assert [rule for policy in found for rule in policy.spec.egress or []] == []


def test_only_evaluators_may_ask_a_models_pod(platform: Installation) -> None:
    rules = [rule for policy in policies(platform, platform.models) for rule in policy.spec.ingress or []]
    assert rules
    for rule in rules:
        assert {port.port for port in rule.ports} == {8080, 8081}
        for peer in rule._from:
            assert peer.pod_selector.match_labels["app.kubernetes.io/component"] == "evaluator"
            # Before Kubernetes 1.21 namespaces have no label of their name.
            namespace = peer.namespace_selector.match_labels or {}
            assert namespace.get("kubernetes.io/metadata.name", platform.namespace) == platform.namespace


def test_every_service_has_a_policy_for_what_comes_in_and_goes_out(platform: Installation) -> None:
    found = policies(platform, platform.namespace)
    for service in SERVICES:
        own = [each for each in found if selects(each, platform.pods(service)[0])]
        assert {kind for policy in own for kind in policy.spec.policy_types} == {"Ingress", "Egress"}, service


def selects(policy: client.V1NetworkPolicy, pod: client.V1Pod) -> bool:
    """Whether a policy is about this pod."""
    wanted = policy.spec.pod_selector.match_labels or {}
    return dict(pod.metadata.labels, **wanted) == dict(pod.metadata.labels)

"""What the evaluator may do in the cluster, and that it is nothing more: asked with its own token."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from kubernetes import client

from tests.e2e.kubernetes.cluster import until
from tests.e2e.kubernetes.installation import Installation

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "asked-for"},
    "spec": {
        "automountServiceAccountToken": False,
        "securityContext": {"runAsNonRoot": True, "runAsUser": 65532, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [
            {
                "name": "model",
                "image": "none/such:1",
                "imagePullPolicy": "Never",
                "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
            }
        ],
    },
}
NOTHING_MORE = {
    ("create", "", "pods"), ("get", "", "pods"), ("list", "", "pods"), ("delete", "", "pods"), ("get", "", "pods/log"),
}  # fmt: skip


@pytest.fixture
def evaluator(platform: Installation) -> Iterator[client.ApiClient]:
    """A client that has the evaluator's token and nothing else: no certificate of the administrator's."""
    account = platform.pods("evaluator")[0].spec.service_account_name
    body = {"spec": {"expirationSeconds": 3600}}
    made = platform.cluster.core.create_namespaced_service_account_token(account, platform.namespace, body)
    own = platform.cluster.configuration
    asked = client.Configuration(host=own.host)
    asked.ssl_ca_cert, asked.verify_ssl, asked.proxy = own.ssl_ca_cert, own.verify_ssl, own.proxy
    asked.api_key = {"BearerToken": f"Bearer {made.status.token}"}
    with client.ApiClient(asked) as api:
        yield api


def refused(work: Callable[[], Any]) -> bool:
    """Whether the API server says Forbidden."""
    try:
        work()
    except client.ApiException as error:
        if error.status != 403:
            raise
        return True
    return False


def test_the_token_is_the_evaluators_and_no_administrators(platform: Installation, evaluator: client.ApiClient) -> None:
    assert refused(lambda: client.CoreV1Api(evaluator).list_node())
    assert refused(lambda: client.CoreV1Api(evaluator).list_namespace())


def test_the_evaluator_can_make_see_and_remove_pods_of_models_and_read_their_logs(
    platform: Installation, evaluator: client.ApiClient
) -> None:
    core, namespace = client.CoreV1Api(evaluator), platform.models
    core.create_namespaced_pod(namespace, POD)
    try:
        assert core.read_namespaced_pod("asked-for", namespace).metadata.name == "asked-for"
        assert "asked-for" in {pod.metadata.name for pod in core.list_namespaced_pod(namespace).items}
        with pytest.raises(client.ApiException) as told:  # allowed, but there is no log of what never started
            core.read_namespaced_pod_log("asked-for", namespace)
        assert told.value.status == 400
    finally:
        core.delete_namespaced_pod("asked-for", namespace, grace_period_seconds=0)
    until(
        lambda: "asked-for" not in {pod.metadata.name for pod in core.list_namespaced_pod(namespace).items}, 30, "gone"
    )


def test_the_evaluator_may_do_nothing_else_with_models(platform: Installation, evaluator: client.ApiClient) -> None:
    core, namespace = client.CoreV1Api(evaluator), platform.models
    assert refused(lambda: core.list_namespaced_secret(namespace))
    assert refused(lambda: core.list_namespaced_config_map(namespace))
    assert refused(lambda: core.list_namespaced_event(namespace))
    assert refused(lambda: core.create_namespaced_secret(namespace, {"metadata": {"name": "x"}}))
    assert refused(lambda: core.patch_namespaced_pod("x", namespace, {}))
    assert refused(lambda: core.delete_collection_namespaced_pod(namespace))
    assert refused(lambda: core.create_namespaced_service_account_token("default", namespace, {"spec": {}}))
    assert refused(lambda: client.AppsV1Api(evaluator).list_namespaced_deployment(namespace))
    assert refused(lambda: client.RbacAuthorizationV1Api(evaluator).list_namespaced_role(namespace))
    assert refused(lambda: client.NetworkingV1Api(evaluator).list_namespaced_network_policy(namespace))


def test_the_evaluator_may_do_nothing_at_all_beside_its_models(
    platform: Installation, evaluator: client.ApiClient
) -> None:
    core = client.CoreV1Api(evaluator)
    for namespace in (platform.namespace, "kube-system", "default"):
        assert refused(partial(core.list_namespaced_pod, namespace))
        assert refused(partial(core.create_namespaced_pod, namespace, POD))
        assert refused(partial(core.list_namespaced_secret, namespace))
    assert refused(lambda: core.read_namespaced_secret("dynaboard", platform.namespace))


def test_the_api_server_lists_exactly_these_rights(platform: Installation, evaluator: client.ApiClient) -> None:
    assert rights(evaluator, platform.models) == NOTHING_MORE
    assert rights(evaluator, platform.namespace) == set()


def rights(api: client.ApiClient, namespace: str) -> set[tuple[str, str, str]]:
    """(verb, group, resource) of all a token may do there, but for what everybody may: ask about oneself."""
    body = {"spec": {"namespace": namespace}}
    status = client.AuthorizationV1Api(api).create_self_subject_rules_review(body).status
    found = {
        (verb, group, resource)
        for rule in status.resource_rules
        for verb in rule.verbs
        for group in rule.api_groups or [""]
        for resource in rule.resources or []
    }
    return {right for right in found if right[1] not in {"authorization.k8s.io", "authentication.k8s.io"}}


def test_no_other_service_has_a_token(platform: Installation) -> None:
    for pod in platform.pods():
        if pod.metadata.labels.get("app.kubernetes.io/component") != "evaluator":
            assert pod.spec.automount_service_account_token is False, pod.metadata.name

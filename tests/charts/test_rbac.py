"""What the chart may do in the cluster: one service account may handle the pods of one namespace."""

import pytest

from tests.charts.rendered import MODELS, NAMESPACE, VALUES, documents, of_kind

NAMESPACES = dict.fromkeys(VALUES, MODELS) | {"as little as possible": "elsewhere"}


@pytest.mark.parametrize("name", VALUES)
def test_the_evaluator_may_handle_pods_of_the_models_namespace_and_nothing_else(name: str) -> None:
    (role,) = of_kind(name, "Role")
    assert role["metadata"]["namespace"] == NAMESPACES[name]
    assert role["rules"] == [
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["create", "get", "list", "delete"]},
        {"apiGroups": [""], "resources": ["pods/log"], "verbs": ["get"]},
    ]


@pytest.mark.parametrize("name", VALUES)
def test_only_the_evaluators_account_is_bound(name: str) -> None:
    (binding,) = of_kind(name, "RoleBinding")
    account = "demo-dynaboard-evaluator"
    assert binding["metadata"]["namespace"] == NAMESPACES[name]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}]
    assert binding["roleRef"]["name"] == of_kind(name, "Role")[0]["metadata"]["name"]


@pytest.mark.parametrize("name", VALUES)
def test_nothing_is_granted_in_the_whole_cluster(name: str) -> None:
    assert [d for d in documents(name) if d["kind"] in ("ClusterRole", "ClusterRoleBinding")] == []


@pytest.mark.parametrize("name", VALUES)
def test_accounts_bring_no_token_by_themselves(name: str) -> None:
    accounts = of_kind(name, "ServiceAccount")
    assert len(accounts) == 4
    assert [account["automountServiceAccountToken"] for account in accounts] == [False] * 4


def test_the_models_namespace_enforces_the_restricted_standard() -> None:
    (namespace,) = of_kind("external", "Namespace")
    labels = namespace["metadata"]["labels"]
    assert namespace["metadata"]["name"] == MODELS
    assert {labels[f"pod-security.kubernetes.io/{mode}"] for mode in ("enforce", "audit", "warn")} == {"restricted"}


def test_a_namespace_that_is_there_is_not_made() -> None:
    assert of_kind("as little as possible", "Namespace") == []


def test_a_quota_is_what_the_values_say() -> None:
    (quota,) = of_kind("everything on", "ResourceQuota")
    assert quota["metadata"]["namespace"] == MODELS
    assert quota["spec"] == {"hard": {"pods": "20", "limits.memory": "64Gi"}}

"""Who may talk to whom: asserted on the policies; `helm test` tries it where the network enforces them."""

from collections.abc import Iterator
from typing import Any

import pytest

from services.evaluator.deployers.kubernetes.manifest import OURS
from tests.charts.rendered import MODELS, NAMESPACE, VALUES, documents, of_kind, pods, render

WITH_POLICIES = [name for name in VALUES if of_kind(name, "NetworkPolicy")]
ANYWHERE = "anywhere"
COMPONENT = "app.kubernetes.io/component"
Rule = dict[str, Any]


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    """Whether a selector of ours (matchLabels only) selects these labels."""
    assert selector.keys() <= {"matchLabels"}
    return selector.get("matchLabels", {}).items() <= labels.items()


def policies_of(name: str, namespace: str, labels: dict[str, str]) -> list[dict[str, Any]]:
    return [
        policy["spec"]
        for policy in of_kind(name, "NetworkPolicy")
        if policy["metadata"]["namespace"] == namespace and selects(policy["spec"]["podSelector"], labels)
    ]


def components(name: str) -> dict[str, dict[str, str]]:
    """Labels of our own pods by component."""
    labels = [pod["metadata"]["labels"] for _, pod in pods(documents(name))]
    return {each[COMPONENT]: each for each in labels if COMPONENT in each}


def ours(name: str, peers: list[Rule]) -> Iterator[str]:
    """Components in the release's namespace that these peers name."""
    for peer in peers:
        if "podSelector" in peer and "namespaceSelector" not in peer:
            found = [
                component for component, labels in components(name).items() if selects(peer["podSelector"], labels)
            ]
            assert found, f"{peer} selects no pod"
            yield from found


def reach(name: str, component: str) -> dict[str, set[int]]:
    """Whom a component may talk to and on which ports."""
    (policy,) = policies_of(name, NAMESPACE, components(name)[component])
    found: dict[str, set[int]] = {}
    for rule in policy["egress"]:
        numbers = {port["port"] for port in rule["ports"]}
        for target in ours(name, rule["to"]) if "to" in rule else [ANYWHERE]:
            found.setdefault(target, set()).update(numbers)
    return found


@pytest.mark.parametrize("labels", [{}, OURS, {"any": "label"}], ids=["none", "a model's", "others"])
@pytest.mark.parametrize("name", WITH_POLICIES)
def test_nothing_in_the_models_namespace_may_talk_to_anybody(name: str, labels: dict[str, str]) -> None:
    policies = policies_of(name, MODELS, labels)
    assert any({"Ingress", "Egress"} <= set(policy["policyTypes"]) for policy in policies)
    assert [rule for policy in policies for rule in policy.get("egress", [])] == []


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_only_the_evaluator_may_talk_to_a_model(name: str) -> None:
    (rule,) = (rule for policy in policies_of(name, MODELS, OURS) for rule in policy["ingress"])
    assert rule["ports"] == [{"port": 8080, "protocol": "TCP"}, {"port": 8081, "protocol": "TCP"}]
    (peer,) = rule["from"]
    assert peer["namespaceSelector"] == {"matchLabels": {"kubernetes.io/metadata.name": NAMESPACE}}
    chosen = [component for component, labels in components(name).items() if selects(peer["podSelector"], labels)]
    assert chosen == ["evaluator"]


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_the_evaluator_may_talk_to_models_and_to_no_other_pod_of_another_namespace(name: str) -> None:
    (policy,) = policies_of(name, NAMESPACE, components(name)["evaluator"])
    (peer,) = (peer for rule in policy["egress"] for peer in rule.get("to", []) if "namespaceSelector" in peer)
    assert peer["namespaceSelector"] == {"matchLabels": {"kubernetes.io/metadata.name": MODELS}}
    assert selects(peer["podSelector"], OURS)


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_every_pod_of_ours_has_one_policy_for_both_directions(name: str) -> None:
    for component, labels in components(name).items():
        policies = policies_of(name, NAMESPACE, labels)
        assert [sorted(policy["policyTypes"]) for policy in policies] == [["Egress", "Ingress"]], component


def test_in_a_trial_services_talk_only_to_whom_they_need() -> None:
    database, store, dns = {"postgresql": {5432}}, {"s3": {9000}}, {ANYWHERE: {53}}
    assert {component: reach("trial", component) for component in components("trial")} == {
        "gateway": {"upload": {8001}, "evaluator": {8002}, "scoring": {8003}} | database | dns,
        "upload": database | store | dns,
        # The API server, which no selector can name; values may narrow it down.
        "evaluator": database | store | {ANYWHERE: {53, 443, 6443}},
        "scoring": database | store | dns,
        "migrate": database | dns,
        "test": {"gateway": {8000}} | dns,
        "postgresql": {},
        "s3": {},
    }


def test_with_servers_of_ones_own_services_talk_to_their_ports() -> None:
    assert reach("external", "upload") == {ANYWHERE: {53, 5432, 443}}
    assert reach("external", "gateway")[ANYWHERE] == {53, 5432}


def test_a_narrowed_policy_names_addresses() -> None:
    (policy,) = policies_of("everything on", NAMESPACE, components("everything on")["evaluator"])
    blocks = {
        port["port"]: peer["ipBlock"]["cidr"]
        for rule in policy["egress"]
        for peer in rule.get("to", [])
        if "ipBlock" in peer
        for port in rule["ports"]
    }
    assert blocks == {5432: "10.0.1.0/24", 443: "10.0.0.1/32", 6443: "10.0.0.1/32"}


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_whoever_may_talk_is_also_listened_to(name: str) -> None:
    for component in components(name):
        for target, numbers in reach(name, component).items():
            if target == ANYWHERE:
                continue
            (policy,) = policies_of(name, NAMESPACE, components(name)[target])
            let_in = {
                port["port"]
                for rule in policy["ingress"]
                if "from" not in rule or component in ours(name, rule["from"])
                for port in rule["ports"]
            }
            assert numbers <= let_in, f"{component} to {target}"


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_prometheus_may_scrape_every_service(name: str) -> None:
    for service in ("gateway", "upload", "evaluator", "scoring"):
        (policy,) = policies_of(name, NAMESPACE, components(name)[service])
        (rule,) = policy["ingress"]
        names = [peer.get("namespaceSelector") for peer in rule.get("from", [])]
        assert "from" not in rule or {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}} in names


def test_models_never_run_in_the_releases_namespace() -> None:
    with pytest.raises(Exception, match=r"models\.namespace must be another one"):
        render(VALUES["external"] | {"models": {"namespace": NAMESPACE}})

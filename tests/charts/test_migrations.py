"""Tables are brought up to date once for each version, before the pods that need them."""

from typing import Any

import pytest

from tests.charts.rendered import EXTERNAL, SERVICES, TRIAL, VALUES, named, render


def jobs(values: dict[str, Any], is_install: bool) -> dict[str, str]:
    """The jobs' names, and the hooks that run them; empty: the install itself."""
    return {
        document["metadata"]["name"]: document["metadata"].get("annotations", {}).get("helm.sh/hook", "")
        for document in render(values, is_install=is_install)
        if document["kind"] == "Job"
    }


@pytest.mark.parametrize("is_install", [True, False], ids=["install", "upgrade"])
def test_on_ones_own_database_a_hook_migrates_before_all_else(is_install: bool) -> None:
    assert jobs(EXTERNAL, is_install) == {"demo-dynaboard-migrate": "pre-install,pre-upgrade"}


def test_a_trials_database_is_migrated_by_the_install_that_makes_it() -> None:
    assert jobs(TRIAL, is_install=True) == {
        "demo-dynaboard-migrate": "pre-upgrade",
        "demo-dynaboard-migrate-install": "",
    }


def test_a_trials_database_is_migrated_by_the_hook_later_on() -> None:
    assert jobs(TRIAL, is_install=False) == {"demo-dynaboard-migrate": "pre-upgrade"}


@pytest.mark.parametrize("name", VALUES)
def test_a_hook_before_the_install_needs_nothing_that_the_chart_makes(name: str) -> None:
    spec = named(name, "Job", "-migrate")["spec"]["template"]["spec"]
    assert "serviceAccountName" not in spec
    (container,) = spec["containers"]
    assert [env["name"] for env in container["env"]] == ["DYNABOARD_DATABASE_URL"]
    assert "envFrom" not in container
    if not name.startswith("trial"):
        assert container["env"][0]["valueFrom"]["secretKeyRef"]["name"] == "db"


@pytest.mark.parametrize("service", SERVICES)
def test_new_pods_wait_for_the_tables(service: str) -> None:
    (waiting,) = named("trial", "Deployment", f"-{service}")["spec"]["template"]["spec"]["initContainers"]
    assert waiting["args"] == ["await-migrations"]
    assert waiting["image"] == named("trial", "Job", "-migrate")["spec"]["template"]["spec"]["containers"][0]["image"]

"""Which hardware profiles are the platform's own: this machine's, or those that a cluster's pods have told of."""

from dataclasses import asdict, replace

from dynaboard.measurement.hardware import hardware_profile
from dynaboard.tables import HardwareProfile
from services.evaluator.backfill.needs import hardware_of
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.world import World


def seen(world: World, settings: EvaluatorSettings) -> None:
    """Two kinds of nodes, one of them also under other limits."""
    tight = replace(settings.limits, memory_bytes=1024**3)
    with world.database.begin() as db:
        for name, limits in (("node-a", settings.limits), ("node-b", settings.limits), ("tight", tight)):
            db.add(HardwareProfile(fingerprint=name, description={"cpu": name, "limits": asdict(limits)}))


def test_on_one_machine_only_costs_of_this_machine_are_known(world: World, settings: EvaluatorSettings) -> None:
    seen(world, settings)
    with world.database.begin() as db:
        assert hardware_of(db, settings) == {hardware_profile(settings.limits, settings.runtime_python).fingerprint}


def test_in_a_cluster_costs_of_all_its_nodes_under_these_limits_are_known(
    world: World, settings: EvaluatorSettings
) -> None:
    seen(world, settings)
    with world.database.begin() as db:
        assert hardware_of(db, settings.model_copy(update={"deployer": "kubernetes"})) == {"node-a", "node-b"}

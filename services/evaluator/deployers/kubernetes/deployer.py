"""Makes models' pods, knows which of them are its own, and removes those of evaluators that are no more."""

import secrets
from dataclasses import replace

from dynaboard.database import Database
from dynaboard.errors import PlatformFailure
from dynaboard.storage import Storage
from services.evaluator.archives import Archive, Parcel, parcel_of
from services.evaluator.deployers import outcomes
from services.evaluator.deployers.kubernetes.cluster import Cluster
from services.evaluator.deployers.kubernetes.deployment import PodDeployment, Site
from services.evaluator.deployers.kubernetes.manifest import Identity, Terms
from services.evaluator.deployers.kubernetes.orphans import Orphans, installation_of
from services.evaluator.deployers.purpose import EVALUATED, INTERACTIVE, REFERENCE, Purpose
from services.evaluator.deployers.reference_model import reference_parcel
from services.evaluator.settings import EvaluatorSettings

# Of one dataset at its slowest, times as many as no task has: a pod that nobody removed ends after so many.
MOST_DATASETS = 14
# Seconds that others wait for a machine: whoever asks a question; a measurement, for room beside the model.
AT_MOST_S: dict[Purpose, float] = {INTERACTIVE: 60.0, REFERENCE: 180.0}


class KubernetesDeployer:
    """Runs models as pods of one namespace. Made where a cluster is; else it raises PlatformFailure."""

    def __init__(self, settings: EvaluatorSettings, storage: Storage, database: Database) -> None:
        if not settings.kubernetes_image:
            raise PlatformFailure("Set DYNABOARD_KUBERNETES_IMAGE to the image of the model server.")
        self._storage = storage
        self._evaluator = secrets.token_hex(8)
        self._site = Site(
            Cluster(settings.kubernetes_namespace),
            terms_of(settings),
            settings.kubernetes_scheduling_s,
            settings.kubernetes_image_pull_s,
        )
        self._installation = installation_of(database)
        self._orphans = Orphans(self._site.cluster, database, self._evaluator, self._installation)
        for purpose in (EVALUATED, REFERENCE):
            outcomes.show(outcomes.label("kubernetes", purpose))

    def start(self, archive: Archive, purpose: Purpose) -> PodDeployment:
        """See Deployer."""
        return self._start(parcel_of(self._storage, archive), purpose, "")

    def start_reference(self, place: str) -> PodDeployment:
        """See Deployer."""
        return self._start(reference_parcel(), REFERENCE, place)

    def _start(self, parcel: Parcel, purpose: Purpose, node: str) -> PodDeployment:
        name = f"dynaboard-{purpose}-{parcel.submission_id[:12]}-{secrets.token_hex(4)}"
        token = secrets.token_urlsafe(32)
        identity = Identity(
            name, purpose, self._evaluator, parcel.submission_id, parcel.digest, token, self._installation
        )
        self._orphans.mine.add(name)
        scheduling_s = min(self._site.scheduling_s, AT_MOST_S.get(purpose, self._site.scheduling_s))
        site = replace(self._site, scheduling_s=scheduling_s)
        return PodDeployment(site, identity, parcel, node, lambda: self._orphans.mine.discard(name))

    def clean(self) -> list[str]:
        """See Deployer."""
        return self._orphans.sweep()

    def close(self) -> None:
        """See Deployer."""
        self._orphans.close()
        self._site.cluster.close()


def terms_of(settings: EvaluatorSettings) -> Terms:
    """What the settings say about all pods."""
    return Terms(
        image=settings.kubernetes_image,
        limits=settings.limits,
        cpu=settings.kubernetes_cpu or settings.model_threads,
        server_bytes=settings.kubernetes_server_memory_bytes,
        disk_bytes=settings.kubernetes_disk_bytes,
        longest_s=round(MOST_DATASETS * settings.max_evaluation_hours * 3600),
        pull_secrets=settings.kubernetes_image_pull_secrets,
        runtime_class=settings.kubernetes_runtime_class,
        node_selector=settings.kubernetes_node_selector,
        interactive_node_selector=settings.kubernetes_interactive_node_selector or settings.kubernetes_node_selector,
        tolerations=settings.kubernetes_tolerations,
    )

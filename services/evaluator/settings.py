"""The settings of the evaluator."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from dynaboard.measurement.samplers import SamplerChoice
from dynaboard.measurement.samplers.choice import SamplerName
from dynaboard.runtime import Limits
from dynaboard.settings import Settings

# The same defaults as `dynaboard check`, so that both give the same verdict.
LIMITS = Limits()


class EvaluatorSettings(Settings):
    """Where models run, within which limits, and how their cost is measured."""

    port: int = 8002
    # What runs the models: a name in services.evaluator.deployers.DEPLOYERS.
    deployer: Literal["local", "kubernetes"] = "local"
    # The machine that this evaluator runs on, as the measuring slot names it: nothing of ours works there while a model
    # is measured. Empty: its host name; in a cluster the name of its node.
    place: str = ""
    # Models on this machine: only in a sandbox that works, or else, said loudly, without one.
    sandbox: Literal["required", "preferred"] = "preferred"
    # The Python that runs the models; empty: the one that runs this service.
    runtime_python: Path | None = None
    model_memory_bytes: int = LIMITS.memory_bytes
    model_threads: int = LIMITS.threads
    model_startup_s: float = LIMITS.startup_s
    model_predict_s: float = LIMITS.predict_s
    model_scratch_bytes: int = LIMITS.scratch_bytes
    # The measurement profile: a name in dynaboard.measurement.PROFILES.
    measurement_profile: str = "quick"
    # Where a model's memory is read: its control group if it has one of its own, else its process tree; or one of them,
    # or Prometheus, for models on other machines.
    memory_sampler: SamplerName = "auto"
    # For "prometheus": its address, how cAdvisor labels the models' containers, and how often it scrapes (seconds).
    prometheus_url: str = ""
    prometheus_selector: str = ""
    prometheus_scrape_s: float = 15.0
    # What TorchServe's Java takes in such a container, to be taken off; the other samplers see it for themselves.
    prometheus_server_bytes: int = 0
    # A model kept for "talk to the model" is stopped after this long without a question.
    interactive_idle_s: float = 120.0
    interactive_models: int = 2
    # How long a question waits for a measurement to end before it is sent away.
    interactive_patience_s: float = 10.0
    # The interpreter of an environment with TextFlint 0.1.0 (docs/perturbations-robustness.md); empty: none is used.
    textflint_python: Path | None = None
    # What makes the perturbed copies: "builtin" or "textflint". Another engine, seed or policy makes copies of its own,
    # beside those there are; results on different copies are not compared.
    perturbation_engine: Literal["builtin", "textflint"] = "builtin"
    perturbation_seed: int = 1
    # Where fairness meets a familiar entity: leave out the whole example (the paper) or the words that name it.
    entity_policy: Literal["skip_example", "skip_span"] = "skip_example"
    # Draw names for fairness as the paper did: from all of its lists, each occurrence for itself, whatever the gender.
    paper_random: bool = False
    # Which datasets have perturbed copies. One costs a model some seven times the texts of the dataset itself, and only
    # the scoring ones are ranked by fairness and robustness.
    perturbed_roles: tuple[str, ...] = ("scoring",)
    # Processes that make the copy of a large dataset.
    perturbation_processes: int = 2
    # What an uploaded dataset may have, packed and unpacked; and its examples, of whose ids a hash is held in memory.
    max_dataset_bytes: int = 8 * 1024**3
    max_dataset_examples: int = 2_000_000
    # Predictions are stored in chunks of this many examples while a dataset runs, so that a crash loses at most one.
    chunk_examples: int = 1_000
    # For "kubernetes": the namespace and the image of the models' pods.
    kubernetes_namespace: str = "default"
    kubernetes_image: str = ""
    # Names of Secrets in that namespace.
    kubernetes_image_pull_secrets: tuple[str, ...] = ()
    # A RuntimeClass with a sandbox of its own, such as gVisor's; empty: the cluster's default.
    kubernetes_runtime_class: str = ""
    # Labels of the nodes on which models are measured, and of those on which people talk to them (none: the same).
    kubernetes_node_selector: dict[str, str] = Field(default_factory=dict)
    kubernetes_interactive_node_selector: dict[str, str] = Field(default_factory=dict)
    # As in a pod's `tolerations`.
    kubernetes_tolerations: tuple[dict[str, str | int], ...] = ()
    # Processors of a pod; 0: as many as `model_threads`. Less than that is for trying things on a small machine.
    kubernetes_cpu: float = Field(0.0, ge=0)
    # Memory of a pod beside the model's: TorchServe's Java and our supervisor.
    kubernetes_server_memory_bytes: int = 512 * 1024**2
    # What an archive may take of a node's disk, packed and unpacked together.
    kubernetes_disk_bytes: int = 192 * 1024**3
    # How long a pod may wait for a node with room (waiting for a measurement to end does not count), and for its image.
    kubernetes_scheduling_s: float = 1800.0
    kubernetes_image_pull_s: float = 120.0
    # How many evaluators the installation has. The time that back-fill takes is predicted for so many; twice as many of
    # its jobs are queued at once, so that a pause, and fairness between owners, take effect soon.
    evaluators: int = 1
    # The longest that predicting one dataset may take; a model that needs longer fails.
    max_evaluation_hours: float = 24.0

    @property
    def limits(self) -> Limits:
        """The limits every model gets."""
        return Limits(
            memory_bytes=self.model_memory_bytes,
            threads=self.model_threads,
            startup_s=self.model_startup_s,
            predict_s=self.model_predict_s,
            scratch_bytes=self.model_scratch_bytes,
        )

    @property
    def sampling(self) -> SamplerChoice:
        """The sampler of models' memory, as one value."""
        return SamplerChoice(
            self.memory_sampler,
            self.prometheus_url,
            self.prometheus_selector,
            self.prometheus_scrape_s,
            self.prometheus_server_bytes,
        )

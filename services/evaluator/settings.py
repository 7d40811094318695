"""The settings of the evaluator."""

from pathlib import Path
from typing import Literal

from dynaboard.runtime import Limits
from dynaboard.settings import Settings

# The same defaults as `dynaboard check`, so that both give the same verdict.
LIMITS = Limits()


class EvaluatorSettings(Settings):
    """Where models run, within which limits, and how their cost is measured."""

    port: int = 8002
    # What runs the models: a name in services.evaluator.deployers.DEPLOYERS.
    deployer: Literal["local"] = "local"
    # The Python that runs the models; empty: the one that runs this service.
    runtime_python: Path | None = None
    model_memory_bytes: int = LIMITS.memory_bytes
    model_threads: int = LIMITS.threads
    model_startup_s: float = LIMITS.startup_s
    model_predict_s: float = LIMITS.predict_s
    model_scratch_bytes: int = LIMITS.scratch_bytes
    # The measurement profile: a name in dynaboard.measurement.PROFILES.
    measurement_profile: str = "quick"
    # A model kept for "talk to the model" is stopped after this long without a question.
    interactive_idle_s: float = 120.0
    interactive_models: int = 2
    # How long a question waits for a measurement to end before it is sent away.
    interactive_patience_s: float = 10.0
    # What an uploaded dataset may have, packed and unpacked; and its examples, of whose ids a hash is held in memory.
    max_dataset_bytes: int = 8 * 1024**3
    max_dataset_examples: int = 2_000_000
    # Predictions are stored in chunks of this many examples while a dataset runs, so that a crash loses at most one.
    chunk_examples: int = 1_000
    # The longest that predicting one dataset may take; a model that needs longer fails.
    max_evaluation_hours: float = 24.0

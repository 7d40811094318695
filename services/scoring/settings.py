"""The settings of scoring."""

from dynaboard.settings import Settings


class ScoringSettings(Settings):
    """How uncertainty is estimated."""

    port: int = 8003
    bootstrap_replicates: int = 1_000

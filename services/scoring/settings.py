"""The settings of scoring."""

from dynaboard.settings import Settings


class ScoringSettings(Settings):
    """How uncertainty is estimated."""

    bootstrap_replicates: int = 1_000

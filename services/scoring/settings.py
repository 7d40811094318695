"""The settings of scoring."""

from dynaboard.settings import Settings


class ScoringSettings(Settings):
    """How uncertainty is estimated."""

    port: int = 8003
    bootstrap_replicates: int = 1_000
    # The Ed25519 private key (PEM) that bundles are signed with; empty: no bundles are made.
    signing_key: str = ""

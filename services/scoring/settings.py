"""The settings of scoring."""

from pathlib import Path

from dynaboard.settings import Settings


class ScoringSettings(Settings):
    """How uncertainty is estimated."""

    port: int = 8003
    bootstrap_replicates: int = 1_000
    # A folder of metrics of the operator's own, one a file (docs/tasks.md): trusted code, run by this service.
    metrics_path: Path | None = None
    # The Ed25519 private key (PEM) that bundles are signed with; empty: no bundles are made.
    signing_key: str = ""

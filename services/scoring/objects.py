"""What scoring reads stored files through: the platform's object storage, or the folder of an unpacked bundle."""

from pathlib import Path
from typing import Any, Protocol


class Objects(Protocol):
    """Stored files by key."""

    def open(self, key: str) -> Any:
        """A readable stream of a file's bytes. Raises NotFound."""

    def fetch(self, key: str, target: Path) -> None:
        """Write a file to a local one. Raises NotFound."""

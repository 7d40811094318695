"""What the model prints, on the container's standard output, for `kubectl logs`; never more than that bears."""

import contextlib
import os

# Of what is printed in a tenth of a second, the end: 160 KiB/s at most, which a node's log rotation keeps up with.
MOST = 16 * 1024


class StandardOutput:
    """Writes without waiting: whoever reads it may be slow."""

    def __init__(self, file: int = 1) -> None:
        self._file = file
        os.set_blocking(file, False)

    def write(self, text: bytes) -> None:
        """Pass text on, as much as there is room for."""
        with contextlib.suppress(OSError):
            os.write(self._file, text[-MOST:])

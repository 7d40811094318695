"""What one model may use. The same limits hold in `dynaboard check`, on one machine and in a cluster."""

from dataclasses import dataclass

GIB = 1024**3
MIB = 1024**2
# Of one answer to one request; larger ones are the model's failure.
LARGEST_REPLY = 16 * MIB


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds; `predict_s` is the longest one request may take."""

    memory_bytes: int = 4 * GIB
    threads: int = 1
    startup_s: float = 120.0
    predict_s: float = 60.0
    processes: int = 64
    scratch_bytes: int = 256 * MIB


def size_text(size: int) -> str:
    """Bytes as an author reads them: `4 GiB`, `512 MiB`."""
    unit, name = (GIB, "GiB") if size >= GIB else (MIB, "MiB")
    return f"{size / unit:.3g} {name}"

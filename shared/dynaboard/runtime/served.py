"""A model that is served somewhere: what evaluations and measurements may ask of its server, wherever it runs."""

from typing import TYPE_CHECKING, Protocol

from dynaboard.errors import DynaboardError
from dynaboard.runtime.limits import Limits

if TYPE_CHECKING:  # measurement stands on runtime; only the name of what it looks at is known here
    from dynaboard.measurement.host import Host


class Served(Protocol):
    """A model server on this machine (`ModelServer`) or in a pod (`RemoteServer`)."""

    @property
    def address(self) -> str:
        """Where it answers `POST /predictions/model`: `unix:/path` or `http://host:port`."""

    @property
    def limits(self) -> Limits:
        """What the model may use."""

    @property
    def sandbox(self) -> str:
        """How the model is shut in: `bubblewrap`, `limits` or `pod`."""

    @property
    def verdict(self) -> str | None:
        """The sentence for which the model was killed (memory, processes), if it was."""

    @property
    def host(self) -> "Host":
        """The machine it runs on, as measurements look at it."""

    def wait_ready(self) -> float:
        """Wait until the model is loaded and return the cold start in seconds; at once when it is known.

        Blocks. Raises ModelFailure with the author's own exception, or PlatformFailure.
        """

    def alive(self) -> bool:
        """Whether the server runs (the model in it may still have died). May take a call over the network."""

    def log_tail(self, length: int) -> str:
        """The last `length` characters the model printed; empty where they cannot be had any more."""

    def ended_by(self) -> DynaboardError | None:
        """Whose fault it was that the server hung up, None where nobody knows. May block for a second or two."""

    def resident(self) -> int:
        """Bytes of memory that the model's processes hold now, pages they share counted for each; 0 when unknown."""

"""The measuring protocol: one model beside the reference, or two models beside one another."""

from dynaboard.measurement.endpoint import Endpoint, Examples, OnStep
from dynaboard.measurement.findings import Comparison, Measurement
from dynaboard.measurement.profiles import Profile
from dynaboard.measurement.reference import Reference


def silent(step: str) -> None:
    """Tell nobody."""


async def measure(
    candidate: Endpoint, reference: Reference, examples: Examples, profile: Profile, on_step: OnStep = silent
) -> Measurement:
    """Measure a model that is ready and idle; nothing else should run on the machine.

    Raises ModelFailure when the model breaks its contract under way: every answer is checked here too.
    """
    raise NotImplementedError


async def compare(
    candidate: Endpoint, other: Endpoint, examples: Examples, profile: Profile, on_step: OnStep = silent
) -> Comparison:
    """Measure two models of one task in turns on the same inputs. Raises ModelFailure as `measure` does."""
    raise NotImplementedError

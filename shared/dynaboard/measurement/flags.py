"""The words that go with every number of a measurement (docs/cost-measurement.md). Pure."""

from collections.abc import Sequence

from dynaboard.measurement.blocks import Pair
from dynaboard.measurement.findings import Latency
from dynaboard.measurement.latency import harness_is_heavy
from dynaboard.measurement.paired import noisy
from dynaboard.measurement.profiles import Profile
from dynaboard.measurement.quiet import Quiet
from dynaboard.measurement.rest import Rest
from dynaboard.measurement.warm_up import WarmUp


def flags_of(
    profile: Profile,
    gate: Quiet,
    warm: Sequence[WarmUp],
    pairs: Sequence[Pair],
    single: Sequence[Latency],
    rest: Rest | None = None,
) -> tuple[str, ...]:
    """The profile's own, and what went less well than the protocol asks. `rest`: None where it was not looked at."""
    raised = {
        "noisy": not gate.quiet or noisy([pair.ratio for pair in pairs], profile.half_width),
        "unsettled": not all(each.settled for each in warm),
        "unwatched": gate.pressure is None,
        "restless": rest is not None and rest.restless,
        "harness": any(harness_is_heavy(each) for each in single),
    }
    return (*profile.flags, *(flag for flag, is_raised in raised.items() if is_raised))

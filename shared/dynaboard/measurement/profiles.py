"""How long each step of a measurement lasts: rows of data. A longer profile is another row, not another code path."""

from dataclasses import dataclass

# Numbers of another version of the protocol stand beside these, never for them.
PROTOCOL_VERSION = "4"


@dataclass(frozen=True)
class Profile:
    """Lengths of the steps in seconds and counts.

    `inputs` make one pass; a model's part of a pair is as many passes as fill `pair_s`, in turns of `turn_s` with the
    reference, so that it does the same work in every pair. `half_width` is the share of the value at which the interval
    is narrow enough. `objective_s` is the latency that the open-loop scenario must hold.
    """

    name: str
    inputs: int
    # The quiet gate: how long it listens, and how long it waits for quiet before it goes on all the same.
    listen_s: float
    quiet_cap_s: float
    # The echo model's requests.
    floor_s: float
    # Warm-up: until three windows in a row were no faster than those before, but for the agreement (a share).
    window_s: float
    warmup_agreement: float
    warmup_cap_s: float
    # Throughput: pairs.
    pair_s: float
    turn_s: float
    least_pairs: int
    most_pairs: int
    pairs_cap_s: float
    half_width: float
    # Single requests.
    least_requests: int
    latency_s: float
    latency_cap_s: float
    # The open loop.
    probes: int
    probe_s: float
    probe_requests: int
    probe_cap_s: float
    objective_s: float
    # One block of the comparison of known texts with new ones; there are 75.
    check_s: float
    # The reference's rating, once for each hardware profile.
    rating_s: float
    sample_hz: float
    # How often a measurement is made again while the machine does not run as it used to.
    repeats: int
    flags: tuple[str, ...] = ()


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            name="quick",
            inputs=64,
            listen_s=0.1,
            quiet_cap_s=0.3,
            floor_s=0.05,
            window_s=0.08,
            warmup_agreement=0.05,
            warmup_cap_s=0.6,
            pair_s=0.1,
            turn_s=0.05,
            least_pairs=6,
            most_pairs=9,
            pairs_cap_s=20,
            half_width=0.03,
            least_requests=64,
            latency_s=0.25,
            latency_cap_s=20,
            probes=2,
            probe_s=0.15,
            probe_requests=64,
            probe_cap_s=5,
            objective_s=0.1,
            check_s=0.0125,
            rating_s=2,
            sample_hz=20,
            repeats=0,
            flags=("quick",),
        ),
        Profile(
            name="standard",
            inputs=128,
            listen_s=1.0,
            quiet_cap_s=60,
            floor_s=1.0,
            window_s=1.0,
            warmup_agreement=0.05,
            warmup_cap_s=20,
            pair_s=0.25,
            turn_s=0.05,
            least_pairs=16,
            most_pairs=120,
            pairs_cap_s=300,
            half_width=0.03,
            least_requests=664,
            latency_s=5,
            latency_cap_s=120,
            probes=4,
            probe_s=3,
            probe_requests=200,
            probe_cap_s=30,
            objective_s=0.1,
            check_s=0.025,
            rating_s=20,
            sample_hz=20,
            repeats=1,
            flags=("standard",),
        ),
        Profile(
            name="full",
            inputs=256,
            listen_s=5.0,
            quiet_cap_s=900,
            floor_s=5.0,
            window_s=5.0,
            warmup_agreement=0.05,
            warmup_cap_s=120,
            pair_s=0.5,
            turn_s=0.1,
            least_pairs=40,
            most_pairs=240,
            pairs_cap_s=1200,
            half_width=0.03,
            least_requests=2010,
            latency_s=60,
            latency_cap_s=600,
            probes=7,
            probe_s=20,
            probe_requests=662,
            probe_cap_s=120,
            objective_s=0.1,
            check_s=0.05,
            rating_s=60,
            sample_hz=20,
            repeats=1,
        ),
    )
}

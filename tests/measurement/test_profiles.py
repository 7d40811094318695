"""The profiles are what their documentation says."""

from pathlib import Path

import pytest

from dynaboard.measurement.integrity import ROUNDS
from dynaboard.measurement.profiles import PROFILES, Profile
from dynaboard.measurement.warm_up import WINDOWS

TEXT = (Path(__file__).parents[2] / "docs" / "cost-measurement.md").read_text(encoding="utf-8")


def fewest_seconds(profile: Profile) -> float:
    """What a measurement takes when everything is quiet, steady and quick: two models warm up and work in turns."""
    warm_up = 2 * (WINDOWS + 1) * profile.window_s
    pairs = 2 * profile.pair_s * profile.least_pairs
    load = profile.probes * profile.probe_s
    checks = 3 * (1 + ROUNDS) * profile.check_s
    return profile.listen_s + profile.floor_s + warm_up + pairs + profile.latency_s + load + checks


def documented(name: str) -> dict[str, str]:
    """The column of a profile in the table, by row."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("|")]
    head = next(row for row in rows if f"`{name}`" in row)
    place = head.index(f"`{name}`")
    return {row[0]: row[place] for row in rows[rows.index(head) + 2 :] if len(row) == len(head)}


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_the_table_of_profiles_is_right(profile: Profile) -> None:
    shown = {
        "inputs in a pass": profile.inputs,
        "waits for quiet, at most": profile.quiet_cap_s,
        "warm-up windows": profile.window_s,
        "warm-up, at most": profile.warmup_cap_s,
        "candidate's part of a pair": profile.pair_s,
        "turns": profile.turn_s,
        "pairs end after": profile.pairs_cap_s,
        "single requests, at least": profile.least_requests,
        "and for": profile.latency_s,
        "rates tried under load": profile.probes,
        "each for": profile.probe_s,
        "a block of the integrity check": profile.check_s,
        "rating, once": profile.rating_s,
        "made again on a drifted machine": profile.repeats,
        "**fewest seconds in all**": fewest_seconds(profile),
    }
    expected = {row: f"{value:.0f}" if value > 2 else f"{value:g}" for row, value in shown.items()}
    expected["pairs"] = f"{profile.least_pairs}–{profile.most_pairs}"
    assert documented(profile.name) == expected


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_every_profile_can_tell_an_interval_and_every_short_one_says_its_name(profile: Profile) -> None:
    assert profile.least_pairs >= 6
    assert profile.sample_hz >= 10
    assert profile.flags == (() if profile.name == "full" else (profile.name,))


@pytest.mark.parametrize("flag", ["noisy", "unsettled", "unwatched", "harness", "unsandboxed", "quick", "standard"])
def test_every_flag_is_documented(flag: str) -> None:
    assert f"`{flag}`" in TEXT

"""Resamples are drawn by a known seed: whoever had a model's value under each could tell which answers are right."""

import numpy as np

from services.scoring.intervals import resampled_sums, seed_of

EXAMPLES, REPLICATES = 200, 1_000
DIGEST = "ab" * 32


def test_a_thousand_resamples_give_every_label_away_which_is_why_no_stranger_gets_them() -> None:
    right = np.random.default_rng(1).integers(0, 2, EXAMPLES).astype(np.float64)
    published = resampled_sums(right[:, None], seed_of(DIGEST), REPLICATES)[:, 0].astype(np.float32)
    draws = resampled_sums(np.eye(EXAMPLES), seed_of(DIGEST), REPLICATES)
    solved, *_ = np.linalg.lstsq(draws, published, rcond=None)
    assert (solved.round() == right).all()

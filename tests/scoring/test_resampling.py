"""Replicates on their way from the job through the database to a board."""

from collections.abc import Callable

import numpy as np
import pytest
from sqlalchemy import select, update

from dynaboard.database import Database
from dynaboard.identity import NOBODY
from dynaboard.nlp_tasks import TASKS
from dynaboard.tables import Measurement, Score, Submission
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import considered
from services.scoring.replicates import decoded
from services.scoring.resampling import Resampled
from services.scoring.uncertainty import Resamples
from tests.scoring.world import World, labelled

TRUTH = ["positive", "negative", "neutral", "positive"] * 10
BLOCKS = [{"start_s": float(place), "seconds": 1.0, "examples": 90 + place} for place in range(5)]
SAMPLES = [[place + 0.5, (1 + place) * 2**28] for place in range(5)]


@pytest.fixture
def land(world: World, run_score: Callable[[str], None]) -> Callable[[str, int], Submission]:
    """A model that answers the first so many of forty tagged examples right, scored with 50 replicates."""
    examples = [example | {"tags": ["t"]} for example in labelled(TRUTH)]
    dataset = world.dataset("sst", examples, tags={"t": 40})

    def landed(name: str, right: int) -> Submission:
        submission = world.submission(name)
        world.evaluation(submission, dataset, labelled(TRUTH[:right] + ["wrong"] * (40 - right)))
        world.cost(submission, dataset, 92, 0.75, provenance={"blocks": BLOCKS, "memory_samples": SAMPLES})
        run_score(submission.id)
        return submission

    return landed


def resamples(database: Database, resampled: Resampled | None = None) -> Resamples:
    """Of the public sentiment board."""
    with database.begin() as db:
        shown, _ = considered(db, TASKS["sentiment"], LeaderboardQuery(), NOBODY, resampled or Resampled())
    return shown.uncertainty.resamples


def test_cells_that_can_be_ranked_keep_replicates_and_others_do_not(
    land: Callable[[str, int], Submission], database: Database
) -> None:
    land("one", 30)
    with database.begin() as db:
        kept = {
            (metric, tag): stored and len(decoded(stored, 0.0))
            for metric, tag, stored in db.execute(select(Score.metric, Score.tag, Score.replicates))
        }
    assert (kept["accuracy", ""], kept["accuracy", "t"], kept["macro_f1", ""]) == (50, 50, None)


def test_models_share_the_resamples_of_a_dataset(land: Callable[[str, int], Submission], database: Database) -> None:
    for name, right in (("one", 30), ("same", 30), ("other", 20)):
        land(name, right)
    performance = resamples(database).deviations[0, 0]
    spreads = [(performance[a] - performance[b]).std() for a in range(3) for b in range(a)]
    assert sorted(spreads)[0] == 0
    assert sorted(spreads)[1] == sorted(spreads)[2] > 0


def test_costs_are_resampled_over_their_blocks(land: Callable[[str, int], Submission], database: Database) -> None:
    land("one", 30)
    found = resamples(database)
    assert (found.unpaired, found.certain) == (0, 0)
    assert found.deviations[1].std() > 0
    assert found.deviations[2].std() > 0


def test_cells_without_replicates_have_stand_ins_and_every_cost_varies_between_runs(
    land: Callable[[str, int], Submission], database: Database
) -> None:
    land("one", 30)
    with database.begin() as db:
        db.execute(update(Score).values(replicates=None))
        db.execute(update(Measurement).values(provenance={}))
        db.execute(update(Measurement).where(Measurement.metric == "memory").values(low=None, high=None))
    found = resamples(database)
    assert (found.unpaired, found.certain) == (2, 0)
    assert found.deviations[0].std() > 0
    assert found.deviations[2].std() > 0


def test_a_cell_without_replicates_and_interval_is_taken_at_its_word(
    land: Callable[[str, int], Submission], database: Database
) -> None:
    land("one", 30)
    with database.begin() as db:
        db.execute(update(Score).values(replicates=None, low=None, high=None))
    found = resamples(database)
    assert (found.unpaired, found.certain) == (0, 1)
    assert not found.deviations[0].any()


def test_where_cells_have_fewer_replicates_the_first_of_all_are_taken(
    land: Callable[[str, int], Submission], database: Database
) -> None:
    land("one", 30)
    whole = resamples(database).deviations
    with database.begin() as db:
        stored = db.scalars(select(Score.replicates).where(Score.metric == "accuracy", Score.tag == "")).one()
        assert stored is not None
        db.execute(update(Score).where(Score.tag == "").values(replicates=stored[: 4 * 20]))
    fewer = resamples(database).deviations
    assert fewer.shape[-1] == 20
    np.testing.assert_array_equal(fewer[0], whole[0, ..., :20])


def test_what_was_loaded_is_kept_until_another_model_lands(
    land: Callable[[str, int], Submission], database: Database
) -> None:
    land("one", 30)
    resampled = Resampled()
    first = resamples(database, resampled)
    assert resamples(database, resampled) is first
    land("two", 20)
    assert resamples(database, resampled).deviations.shape[2] == 2

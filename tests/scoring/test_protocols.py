"""Costs of two versions of the measuring protocol never meet on one board."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.tables import Dataset, Model
from tests.scoring.world import World, labelled

REFERENCES = ["positive", "negative", "neutral", "positive", "positive"]
Get = Callable[..., httpx.Response]
Land = Callable[..., Model]


@pytest.fixture
def measured(world: World, run_score: Callable[[str], None]) -> Callable[..., None]:
    """Land a model whose costs were measured so."""

    def one(name: str, throughput: float, **columns: Any) -> None:
        with world.database.begin() as db:
            sst = db.query(Dataset).one()
        submission = world.submission(name)
        world.evaluation(submission, sst, labelled(REFERENCES))
        world.cost(submission, sst, throughput, 1.0, **columns)
        run_score(submission.id)

    return one


def shown(get: Get) -> dict[str, float | None]:
    """Each model's throughput on the board; None where it has none there."""
    rows = LeaderboardView(**get().json()).rows
    cells = {row.name: row.metrics["throughput"] for row in rows}
    return {name: cell.value if cell else None for name, cell in cells.items()}


def test_a_board_shows_the_protocol_of_most_models_and_names_those_that_lack_it(
    land: Land, measured: Callable[..., None], get: Get
) -> None:
    land("first", 3)
    land("second", 4)
    measured("newer", 99.0, protocol_version="2-quick")
    assert shown(get) == {"first": 13.0, "second": 14.0, "newer": None}
    newer = next(row for row in LeaderboardView(**get().json()).rows if row.name == "newer")
    assert newer.rank is None
    assert any("throughput" in missing for missing in newer.missing)


def test_the_board_changes_over_when_most_are_measured_by_the_new_one(
    land: Land, measured: Callable[..., None], get: Get
) -> None:
    land("first", 3)
    assert shown(get) == {"first": 13.0}
    measured("newer", 99.0, protocol_version="2-quick")
    assert shown(get) == {"first": None, "newer": 99.0}  # as many of both: the newest cell decides
    measured("newest", 98.0, protocol_version="2-quick")
    assert shown(get) == {"first": None, "newer": 99.0, "newest": 98.0}


def test_hardware_that_is_asked_for_has_its_own_protocol(land: Land, measured: Callable[..., None], get: Get) -> None:
    land("first", 3)
    measured("elsewhere", 50.0, protocol_version="2-quick", hardware_profile="0123456789ab")
    rows = LeaderboardView(**get(hardware="0123456789ab").json()).rows
    assert {row.name for row in rows if row.metrics["throughput"]} == {"elsewhere"}

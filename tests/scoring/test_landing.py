"""A board brought up to date by what has landed is the board that is read whole."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dynaboard.database import Database
from dynaboard.identity import NOBODY, Caller, Role
from dynaboard.nlp_tasks import TASKS
from dynaboard.publications import record_publication
from dynaboard.tables import Dataset, Model, Submission
from services.scoring import landing
from services.scoring.freshness import Token, freshness
from services.scoring.landing import landed
from services.scoring.query import LeaderboardQuery
from services.scoring.standing import Scope, Standing, read_standing
from services.scoring.standings import Standings
from tests.scoring.world import World, labelled

SENTIMENT = TASKS["sentiment"]
REFERENCES = ["positive", "negative", "neutral", "positive", "positive"]
ADA = Caller("ada", Role.SUBMITTER)


class Board:
    """The sentiment board of a caller, kept up to date by landings alone."""

    def __init__(self, database: Database, caller: Caller = NOBODY, **query: Any) -> None:
        self.database, self.caller = database, caller
        self.scope = Scope.of(SENTIMENT, LeaderboardQuery(**query), caller)
        self.token, self.standing = self.whole()

    def whole(self) -> tuple[Token, Standing]:
        """As it is read from nothing."""
        with self.database.begin() as db:
            return freshness(db, SENTIMENT), read_standing(db, self.scope, self.caller)

    def follow(self) -> Standing | None:
        """With what has landed since; None where that does not do."""
        with self.database.begin() as db:
            token = freshness(db, SENTIMENT)
            found = landed(db, self.standing, self.token, token, self.caller)
        if found is not None:
            self.token, self.standing = token, found
        return found

    def assert_right(self) -> None:
        """What landings made of it is what is read whole."""
        found, (_, whole) = self.follow(), self.whole()
        assert found is not None
        assert list(found.entries) == list(whole.entries)
        assert found.cells == whole.cells
        assert found.places == whole.places
        assert found.results == whole.results
        for name in ("models", "datasets", "metrics", "inapplicable"):
            assert getattr(found.board, name) == getattr(whole.board, name)
        np.testing.assert_array_equal(found.board.values, whole.board.values)


Land = Callable[..., Model]


@pytest.fixture
def board(database: Database, land: Land) -> Board:
    """Two models are there."""
    land("one", 5)
    land("two", 3)
    return Board(database)


def show(world: World, model: Model, **shown: bool) -> None:
    """Its owner changes who sees it."""
    with world.database.begin() as db:
        found = db.get_one(Model, model.id)
        for name, value in shown.items():
            setattr(found, name, value)
        record_publication(db, found)


def test_a_landing_joins_the_board(board: Board, land: Land) -> None:
    land("three", 4)
    land("draft", 2, published=False)
    board.assert_right()
    assert {entry.name for entry in board.standing.entries} == {"one", "two", "three"}


def test_a_new_version_takes_the_place_of_the_old(board: Board, land: Land) -> None:
    land("one", 1, version=2)
    board.assert_right()
    assert {entry.version for entry in board.standing.entries} == {1, 2}


def test_models_come_and_go_as_their_owners_say(board: Board, world: World, land: Land) -> None:
    hidden = land("hidden", 4, published=False)
    board.assert_right()
    for shown in ({"published": True}, {"anonymous": True}, {"published": False}):
        show(world, hidden, **shown)
        board.assert_right()
    assert len(board.standing.entries) == 2


def test_new_cells_of_a_digest_show_on_every_model_that_has_it(
    board: Board, world: World, land: Land, run_score: Callable[[str], None]
) -> None:
    digest = "d" * 64
    land("first", 4, digest=digest)
    board.assert_right()
    again = world.submission("again", digest=digest, published=False)
    with world.database.begin() as db:
        sst = db.query(Dataset).one()
    world.evaluation(again, sst, labelled(REFERENCES))
    world.cost(again, sst, 77.0, 1.0, metric_version="2")
    run_score(again.id)
    board.assert_right()
    assert 77.0 in board.standing.board.values


def test_a_running_submission_changes_nothing(board: Board, world: World, run_score: Callable[[str], None]) -> None:
    before = board.standing
    submission = world.submission("running")
    with world.database.begin() as db:
        sst = db.query(Dataset).one()
    world.cost(submission, sst, 10.0, 1.0)
    assert board.follow() is before
    world.evaluation(submission, sst, labelled(REFERENCES))
    run_score(submission.id)
    board.assert_right()
    assert len(board.standing.entries) == 3


def test_ones_own_unpublished_models_land_too(database: Database, board: Board, land: Land) -> None:
    own = Board(database, ADA, unpublished=True)
    land("draft", 2, published=False)
    land("theirs", 2, published=False, owner="eve")
    own.assert_right()
    assert {entry.name for entry in own.standing.entries} == {"one", "two", "draft"}


def test_another_commonest_hardware_is_read_whole(board: Board, world: World, land: Land) -> None:
    with world.database.begin() as db:
        sst = db.query(Dataset).one()
    for number in range(5):
        submission = world.submission(f"fast-{number}", status="finished")
        world.cost(submission, sst, 100.0, 1.0, hardware_profile="b" * 64)
    land("three", 4)
    for number in range(5):
        with world.database.begin() as db:
            record_publication(db, db.query(Model).filter_by(name=f"fast-{number}").one())
    assert board.follow() is None


@pytest.mark.parametrize("query", [{"tag": "hard"}, {"as_of": "2050-01-01T00:00:00Z"}])
def test_slices_and_the_past_are_read_whole(
    database: Database, world: World, land: Land, query: dict[str, Any]
) -> None:
    world.dataset("sst", labelled(REFERENCES, tags=["hard"]), tags={"hard": 5})
    some = Board(database, **query)
    assert some.follow() is None


def test_a_new_dataset_is_read_whole(board: Board, world: World) -> None:
    world.dataset("films", labelled(REFERENCES))
    assert board.follow() is None


def test_a_great_many_changes_are_read_whole(board: Board, land: Land, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landing, "MOST_CHANGED", 1)
    land("three", 4)
    assert board.follow() is None


def test_any_row_of_landings_gives_the_board_that_is_read_whole(board: Board, world: World, land: Land) -> None:
    draw = np.random.default_rng(0)
    models = {"one": 1, "two": 1}
    for _ in range(12):
        name = str(draw.choice(["one", "two", "three", "four"]))
        models[name] = models.get(name, 0) + 1
        model = land(name, int(draw.integers(1, 6)), version=models[name])
        if name != "two" and draw.random() < 0.4:
            show(world, model, published=bool(draw.random() < 0.5))
        if draw.random() < 0.7:
            board.assert_right()
    board.assert_right()


def test_a_landing_that_is_undone_leaves_nothing_behind(database: Database, board: Board, world: World) -> None:
    standings = Standings()
    with database.begin() as db:
        first = standings.get(db, board.scope, NOBODY, freshness(db, SENTIMENT))

    def undone() -> None:
        with database.begin() as db:
            submission = Submission(model_id=first.entries[0].model_id, task="sentiment", owner="ada", version=9,
                                    status="finished", digest="e" * 64)  # fmt: skip
            db.add(submission)
            record_publication(db, db.get_one(Model, first.entries[1].model_id))
            db.get_one(Model, first.entries[1].model_id).published = False
            db.flush()
            assert len(standings.unkept(db, board.scope, NOBODY, freshness(db, SENTIMENT)).entries) == 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        undone()
    with database.begin() as db:
        assert standings.get(db, board.scope, NOBODY, freshness(db, SENTIMENT)) is first

"""Things of which a single caller could take all."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from dynaboard.board_schemas import ForkCreate
from dynaboard.database import Database
from dynaboard.errors import QuotaExceeded, TooManyRequests, Unavailable
from dynaboard.identity import Caller, Role
from dynaboard.nlp_tasks import TASKS
from dynaboard.tables import Fork
from services.gateway.watching import BUNDLES, Watching
from services.scoring import forks

ADA = Caller("ada", Role.READER)


def test_a_caller_has_so_many_streams_and_gets_places_back() -> None:
    watching = Watching(per_caller=2, in_all=100)
    first, _ = watching.enter("ada"), watching.enter("ada")
    with pytest.raises(TooManyRequests):
        watching.enter("ada")
    watching.enter("bob")
    first.leave()
    first.leave()
    watching.enter("ada")
    with pytest.raises(TooManyRequests):
        watching.enter("ada")


def test_all_streams_together_are_bounded() -> None:
    watching = Watching(per_caller=20, in_all=3)
    for who in ("a", "b", "c"):
        watching.enter(who)
    with pytest.raises(Unavailable):
        watching.enter("d")


def test_a_caller_fetches_few_bundles_at_a_time() -> None:
    """Each is a file on the scoring service's disk until its client has read it, and snapshots are everybody's."""
    bundles = Watching(2, 10, BUNDLES)
    first, _ = bundles.enter("ada"), bundles.enter("ada")
    with pytest.raises(TooManyRequests, match="2 bundles"):
        bundles.enter("ada")
    first.leave()
    bundles.enter("ada")


def test_forks_are_counted_even_when_many_are_made_at_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "MOST_A_DAY", 5)

    def made(number: int) -> bool:
        try:
            with database.begin() as db:
                forks.make(db, TASKS["sentiment"], ForkCreate.model_validate({"name": f"f{number}"}), ADA)
        except QuotaExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(made, range(16))) == 5
    with database.begin() as db:
        assert db.scalar(select(func.count()).select_from(Fork)) == 5

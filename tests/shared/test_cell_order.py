"""Cells of several processes become visible in the order of their ids."""

import threading

from sqlalchemy import func, select

from dynaboard.cell_order import in_order
from dynaboard.database import Database
from dynaboard.tables import Measurement


def add(database: Database, digest: str, added: threading.Event, go_on: threading.Event) -> None:
    with database.begin() as db:
        in_order(db)
        key = {"model_digest": digest, "dataset_digest": "d", "metric": "memory", "unit": "GiB", "metric_version": "1"}
        db.add(Measurement(**key, hardware_profile="h", value=1.0, n=1))
        db.flush()
        added.set()
        go_on.wait(20)


def test_whoever_has_seen_an_id_has_seen_all_before_it(database: Database) -> None:
    first, second, go_on, at_once = (threading.Event() for _ in range(4))
    at_once.set()
    slow = threading.Thread(target=add, args=(database, "slow", first, go_on))
    slow.start()
    assert first.wait(20)
    fast = threading.Thread(target=add, args=(database, "fast", second, at_once))
    fast.start()

    assert not second.wait(0.2)  # it waits, or its greater id would be seen before the smaller one
    with database.begin() as db:
        assert db.scalar(select(func.max(Measurement.id))) is None
    go_on.set()
    slow.join(20)
    fast.join(20)
    with database.begin() as db:
        assert list(db.scalars(select(Measurement.model_digest).order_by(Measurement.id))) == ["slow", "fast"]

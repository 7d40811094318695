"""Which processors a model is kept to."""

import os

import pytest

from dynaboard.measurement.cores import pinned, share
from tests.measurement.conftest import Start

ECHO = """
class Handler:
    def load(self, model_dir):
        pass

    def predict(self, examples):
        return [{"id": e["id"], "label": "positive"} for e in examples]
"""


def test_a_model_gets_as_many_processors_as_it_has_threads_and_its_server_and_the_harness_the_rest() -> None:
    assert share({0, 1, 2, 3}, 1) == ({3}, {0, 1, 2})
    assert share({0, 1, 2, 3}, 2) == ({2, 3}, {0, 1})
    assert share({4, 9}, 1) == ({9}, {4})


def test_where_none_would_be_left_all_share_all() -> None:
    assert share({0, 1}, 2) == ({0, 1}, {0, 1})
    assert share({0}, 1) == ({0}, {0})


def processors_of(pids: list[int]) -> set[frozenset[int]]:
    """Where their threads may run."""
    threads = [int(thread) for pid in pids for thread in os.listdir(f"/proc/{pid}/task")]
    return {frozenset(os.sched_getaffinity(thread)) for thread in threads}


def test_while_it_is_measured_a_model_shares_no_processor_with_its_server_and_after_that_all(start: Start) -> None:
    ours = os.sched_getaffinity(0)
    if len(ours) < 2:
        pytest.skip("one processor cannot be shared out")
    server = start(ECHO)
    models, rest = share(ours, server.limits.threads)
    with pinned([server]) as told:
        assert set(told) == models
        assert processors_of(server.worker_pids()) == {frozenset(models)}
        assert processors_of(server.server_pids()) == {frozenset(rest)}
    assert processors_of([*server.worker_pids(), *server.server_pids()]) == {frozenset(ours)}

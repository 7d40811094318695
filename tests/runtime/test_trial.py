"""`trial`: the same verdict for `dynaboard check` and for the server."""

from pathlib import Path

import pytest

from dynaboard.nlp_tasks import TASKS, Task
from dynaboard.runtime import trial
from dynaboard.runtime.trial_examples import trial_batches, trial_examples
from tests.runtime.conftest import LIMITS, write_handler

SPAN = """
    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            return [{"id": e["id"], "answer": e["context"][:12], "conf": 0.5} for e in examples]
"""
NO_LONG_TEXTS = """
    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            if any(len(e["statement"]) > 1_000 for e in examples):
                raise IndexError("index out of range in self")
            return [{"id": e["id"], "label": "neutral"} for e in examples]
"""


def test_a_model_that_keeps_the_contract_passes(tmp_path: Path) -> None:
    model = write_handler(tmp_path / "model", SPAN)
    verdict = trial(model, TASKS["qa"], "handler.py:Handler", 4, LIMITS, tmp_path / "run")
    assert verdict.ok
    assert verdict.sentence == "The model answered 6 trial examples as the qa contract asks."
    assert verdict.cold_start_s
    assert verdict.cold_start_s < verdict.seconds


def test_a_model_that_breaks_on_long_texts_is_told_so_before_it_is_submitted(tmp_path: Path) -> None:
    model = write_handler(tmp_path / "model", NO_LONG_TEXTS)
    verdict = trial(model, TASKS["sentiment"], "handler.py:Handler", 16, LIMITS, tmp_path / "run")
    assert not verdict.ok
    assert verdict.sentence == "Handler.predict() raised IndexError: index out of range in self"
    assert "Traceback" in verdict.log


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_trial_examples_have_exactly_the_fields_of_their_task(task: Task) -> None:
    for example in trial_examples(task):
        assert set(example) == {"id", *task.inputs}


@pytest.mark.parametrize("batch_size", [1, 3, 32])
def test_trial_batches_begin_with_one_example_and_then_a_full_batch(batch_size: int) -> None:
    batches = trial_batches(TASKS["nli"], batch_size)
    assert len(batches[0]) == 1
    assert len(batches[1]) == batch_size

"""Every way a submitted model can break, and the one sentence its author reads. Real TorchServe, real sandbox."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynaboard.errors import ModelFailure
from dynaboard.runtime import ModelServer, start_server
from tests.runtime.conftest import IMPATIENT, LIMITS, Start, predict, statements, write_handler

# Answers rightly unless the first statement names a misdeed.
MISBEHAVING = """
    import numpy

    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            answers = [{"id": e["id"], "label": "positive"} for e in examples]
            return getattr(self, examples[0]["statement"])(examples, answers)

        def behave(self, examples, answers):
            return answers

        def raise_an_error(self, examples, answers):
            return {}["no such key"]

        def call_sys_exit(self, examples, answers):
            raise SystemExit("enough")

        def invent_a_label(self, examples, answers):
            answers[1]["label"] = "mixed"
            return answers

        def divide_by_zero(self, examples, answers):
            answers[1]["prob"] = {"positive": float("nan"), "negative": 0.5, "neutral": 0.5}
            return answers

        def forget_the_last(self, examples, answers):
            return answers[:-1]

        def return_a_set(self, examples, answers):
            return {1, 2}

        def chatter(self, examples, answers):
            answers[0]["explanation"] = "because " * 3_000_000
            return answers

        def return_numpy(self, examples, answers):
            for answer in answers:
                answer["prob"] = dict(zip(("positive", "negative", "neutral"), numpy.float32([0.5, 0.25, 0.25])))
            return answers
"""


@pytest.fixture(scope="module")
def misbehaving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    """One server for all misdeeds that leave the worker alive."""
    folder: Path = tmp_path_factory.mktemp("misbehaving")
    server = start_server(write_handler(folder, MISBEHAVING), "handler.py:Handler", folder / "run", LIMITS)
    server.wait_ready()
    yield server
    server.discard()


def sentence(server: ModelServer, misdeed: str) -> str:
    with pytest.raises(ModelFailure) as failure:
        predict(server, statements(misdeed, "another"))
    return failure.value.detail


def test_an_exception_in_predict_is_told_with_its_type_and_message(misbehaving: ModelServer) -> None:
    assert sentence(misbehaving, "raise_an_error") == "Handler.predict() raised KeyError: 'no such key'"


def test_the_traceback_of_an_exception_in_predict_is_in_the_log(misbehaving: ModelServer) -> None:
    sentence(misbehaving, "raise_an_error")
    assert 'return {}["no such key"]' in misbehaving.log_tail(2_000)


def test_sys_exit_in_predict_is_told_like_any_exception(misbehaving: ModelServer) -> None:
    assert sentence(misbehaving, "call_sys_exit") == "Handler.predict() raised SystemExit: enough"


def test_a_wrong_label_is_told_with_the_first_example_that_has_it(misbehaving: ModelServer) -> None:
    assert sentence(misbehaving, "invent_a_label") == (
        "Example s2 (number 2): the label 'mixed' is not one of positive, negative, neutral."
    )


def test_nan_is_not_a_probability(misbehaving: ModelServer) -> None:
    assert sentence(misbehaving, "divide_by_zero") == (
        "Example s2 (number 2): the probability of positive is nan, not a number from 0 to 1."
    )


def test_a_short_list_is_told_with_the_first_example_left_out(misbehaving: ModelServer) -> None:
    assert sentence(misbehaving, "forget_the_last") == (
        "Example s2 (number 2): it has no answer; predict() returned 1 of 2."
    )


def test_what_json_cannot_carry_is_told_with_its_type(misbehaving: ModelServer) -> None:
    assert sentence(misbehaving, "return_a_set") == (
        "Handler.predict() raised TypeError: predict() returned a set, which JSON cannot carry"
    )


def test_a_reply_that_is_too_large_is_told_with_its_size(misbehaving: ModelServer) -> None:
    said = sentence(misbehaving, "chatter")
    assert said.startswith("Handler.predict() returned 24,0")
    assert said.endswith("bytes for 2 examples; at most 16,777,216 are allowed.")


def test_a_model_that_broke_once_answers_the_next_request(misbehaving: ModelServer) -> None:
    sentence(misbehaving, "raise_an_error")
    assert [answer.id for answer in predict(misbehaving, statements("behave", "another"))] == ["s1", "s2"]


def test_numpy_numbers_need_no_conversion(misbehaving: ModelServer) -> None:
    answers = predict(misbehaving, statements("return_numpy"))
    assert answers[0].prob == {"positive": 0.5, "negative": 0.25, "neutral": 0.25}


def handler(load: str = "pass", predict: str = "return []") -> str:
    methods = f"    def load(self, model_dir):\n        {load}\n    def predict(self, examples):\n        {predict}\n"
    return f"class Handler:\n{methods}"


def load_failure(server: ModelServer) -> str:
    with pytest.raises(ModelFailure) as failure:
        server.wait_ready()
    assert not server.alive()
    return failure.value.detail


def test_an_exception_in_load_is_the_authors_own_sentence(start: Start) -> None:
    server = start(handler(load="raise ValueError('weights.bin is not a model')"))
    assert load_failure(server) == "Handler.load() raised ValueError: weights.bin is not a model"
    assert "Traceback" in server.log_tail(2_000)


def test_a_missing_module_is_told_as_an_import_error(start: Start) -> None:
    server = start("import a_module_nobody_has")
    assert load_failure(server) == (
        "importing handler.py raised ModuleNotFoundError: No module named 'a_module_nobody_has'"
    )


def test_a_missing_class_is_told_by_name(start: Start) -> None:
    server = start("class Model: pass")
    assert load_failure(server) == (
        "importing handler.py raised AttributeError: module 'handler' has no attribute 'Handler'"
    )


def test_a_model_that_exits_in_load_does_not_loop(start: Start) -> None:
    server = start("import os\n" + handler(load="os._exit(3)"))
    assert load_failure(server) == (
        "The model's process died during load(): it crashed, exited or was killed; its log may say why."
    )


def test_a_model_that_loads_for_ever_is_given_up(start: Start) -> None:
    started = time.monotonic()
    server = start(handler(load="while True: pass"), IMPATIENT)
    assert load_failure(server) == "load() did not finish within 3 s."
    assert time.monotonic() - started < IMPATIENT.startup_s + 20


def test_a_model_that_exits_in_predict_fails(start: Start) -> None:
    server = start("import os\n" + handler(predict="os._exit(3)"))
    server.wait_ready()
    assert sentence(server, "any") == (
        "The model's process died during predict(): it crashed, exited or was killed; its log may say why."
    )


def test_a_model_that_predicts_for_ever_is_given_up(start: Start) -> None:
    server = start(handler(predict="while True: pass"), IMPATIENT)
    server.wait_ready()
    started = time.monotonic()
    assert sentence(server, "any") == "predict() did not answer within 2 s."
    assert time.monotonic() - started < IMPATIENT.predict_s + 6


def test_one_huge_allocation_is_told_as_the_memory_limit(start: Start) -> None:
    server = start(handler(predict="bytearray(10 * 1024**3)"))
    server.wait_ready()
    assert sentence(server, "any") == "The model needs more than the 1 GiB it may use."


def test_many_small_allocations_are_told_as_the_memory_limit(start: Start) -> None:
    """Each process stays within its own limit; together they do not."""
    server = start(
        """
        import os, time

        class Handler:
            def load(self, model_dir):
                pass

            def predict(self, examples):
                for _ in range(4):
                    if os.fork() == 0:
                        hoard = bytes([1]) * (400 * 1024**2)
                        time.sleep(60)
                time.sleep(60)
        """
    )
    server.wait_ready()
    assert sentence(server, "any") == "The model needs more than the 1 GiB it may use."


def test_a_fork_bomb_is_stopped(start: Start) -> None:
    server = start(
        """
        import os, time

        class Handler:
            def load(self, model_dir):
                pass

            def predict(self, examples):
                for _ in range(40):
                    if os.fork() == 0:
                        time.sleep(60)
                time.sleep(60)
        """
    )
    server.wait_ready()
    said = sentence(server, "any")
    # As root the kernel does not count our processes; then the watchdog does.
    assert said in (
        "The model started more than the 16 processes it may have.",
        "Handler.predict() raised BlockingIOError: [Errno 11] Resource temporarily unavailable",
    )


def test_a_model_that_prints_without_end_keeps_a_short_log(start: Start) -> None:
    server = start(handler(load="[print('x' * 1000) for _ in range(20_000)]", predict="print('last'); return 1"))
    server.wait_ready()
    sentence(server, "any")
    deadline = time.monotonic() + 5
    while server.log_path.stat().st_size > 3 * 1024**2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.log_path.stat().st_size <= 3 * 1024**2

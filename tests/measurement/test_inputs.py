"""What a model is measured with does not depend on the model, on time or on the order of the examples."""

import pytest

from dynaboard.measurement.inputs import pass_length, stratified

EXAMPLES = [{"id": str(n), "text": "x" * n} for n in range(1, 1001)]


def test_inputs_are_spread_evenly_over_lengths() -> None:
    lengths = sorted(len(example["text"]) for example in stratified(EXAMPLES, 10, ["text"]))
    assert lengths == [51, 151, 251, 351, 451, 551, 651, 751, 851, 951]


def test_inputs_are_the_same_whatever_the_order_of_the_examples() -> None:
    assert stratified(EXAMPLES, 64, ["text"]) == stratified(EXAMPLES[::-1], 64, ["text"])


def test_few_examples_are_repeated() -> None:
    assert sorted(example["id"] for example in stratified(EXAMPLES[:2], 4, ["text"])) == ["1", "1", "2", "2"]


def test_measuring_with_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no examples"):
        stratified([], 4, ["text"])


@pytest.mark.parametrize(("batch_size", "length"), [(1, 64), (10, 70), (32, 64), (256, 256)])
def test_a_pass_is_made_of_whole_batches(batch_size: int, length: int) -> None:
    assert pass_length(64, batch_size) == length

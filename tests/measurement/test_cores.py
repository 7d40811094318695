"""Which processors a model is kept to."""

from dynaboard.measurement.cores import share


def test_a_model_gets_as_many_processors_as_it_has_threads_and_its_server_and_the_harness_the_rest() -> None:
    assert share({0, 1, 2, 3}, 1) == ({3}, {0, 1, 2})
    assert share({0, 1, 2, 3}, 2) == ({2, 3}, {0, 1})
    assert share({4, 9}, 1) == ({9}, {4})


def test_where_none_would_be_left_all_share_all() -> None:
    assert share({0, 1}, 2) == ({0, 1}, {0, 1})
    assert share({0}, 1) == ({0}, {0})

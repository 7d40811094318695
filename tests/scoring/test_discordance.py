"""Where two models differ: planted slices are found, others are not, and nobody sees labels that are closed."""

from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest

from dynaboard.comparison_schemas import DiscordanceView
from dynaboard.identity import Role
from dynaboard.tables import Dataset, Submission
from services.scoring.board import BoolArray, FloatArray
from services.scoring.discordance import Compared, Part, differing_parts
from services.scoring.intervals import resampled_sums
from tests.scoring.world import World, labelled

N, TAGS, READER = 2_000, 20, ("carl", Role.READER)
Ask = Callable[..., httpx.Response]


def compared(right: FloatArray, seed: int) -> Compared:
    """Two models' answers, n × 2, under shared resamples."""
    first, second = 100 * right.mean(axis=0)
    replicates = 100 * resampled_sums(right, seed) / len(right) - [first, second]
    return Compared(first, second, len(right), (replicates[:, 0] - replicates[:, 1]).astype(np.float32))


def world_of(draw: np.random.Generator, loss: float) -> list[Part]:
    """Twenty random tags of 5 % each; on the first, the second model loses so much accuracy."""
    tags: BoolArray = draw.random((TAGS, N)) < 0.05
    first = draw.random(N) < 0.85
    second = np.where(draw.random(N) < 0.08, draw.random(N) < 0.85, first)
    second &= ~(tags[0] & (draw.random(N) < loss / 0.85))
    right = np.column_stack([first, second]).astype(np.float64)
    whole = compared(right, int(draw.integers(2**60)))
    parts = [
        ("all", f"tag-{number}", compared(right[rows], int(draw.integers(2**60))), whole)
        for number, rows in enumerate(tags)
    ]
    return differing_parts(parts)


def test_a_planted_slice_is_among_the_first_three() -> None:
    draw = np.random.default_rng(4)
    ranks = [[part.tag for part in world_of(draw, 0.2)].index("tag-0") for _ in range(20)]
    assert np.mean(np.array(ranks) < 3) >= 0.9


def test_where_no_slice_differs_hardly_any_is_called_different() -> None:
    draw = np.random.default_rng(5)
    called = [any(part.adjusted_p < 0.05 for part in world_of(draw, 0.0)) for _ in range(30)]
    assert np.mean(called) <= 0.05


def test_small_tags_and_the_whole_itself_are_not_tested() -> None:
    draw = np.random.default_rng(6)
    right = (draw.random((100, 2)) < 0.5).astype(np.float64)
    whole, small = compared(right, 1), compared(right[:19], 2)
    assert differing_parts([("x", "small", small, whole), ("x", "whole", whole, whole)]) == []


def test_a_tag_without_a_single_difference_is_not_taken_for_certain() -> None:
    right = np.ones((40, 2))
    assert compared(right, 1).variance == pytest.approx((100 / 40) ** 2)


@pytest.fixture
def two(world: World, run_score: Callable[[str], None]) -> list[Submission]:
    """Two models that differ on two of forty examples of a ranked set, and of a released one."""
    truth = ["positive"] * 40
    found = [world.submission("one"), world.submission("other")]
    datasets = [
        world.dataset("ranked", _texts(truth), tags={"t": 40}),
        world.dataset("released", _texts(truth), role="standard"),
        world.dataset("secret", _texts(truth), role="hidden"),
    ]
    for number, submission in enumerate(found):
        for dataset in datasets:
            world.evaluation(submission, dataset, labelled(["positive"] * 38 + [["negative", "neutral"][number]] * 2))
        run_score(submission.id)
    return found


def _texts(labels: list[str]) -> list[dict[str, Any]]:
    return [{"label": label, "statement": f"text {place}", "tags": ["t"]} for place, label in enumerate(labels)]


@pytest.fixture
def ask(client: httpx.Client, as_caller: Callable[..., dict[str, str]], two: list[Submission]) -> Ask:
    """Discordance of the two, by a reader unless somebody else is named."""

    def call(caller: tuple[str, Role] = READER, **params: Any) -> httpx.Response:
        both = {"a": two[0].model_id, "b": two[1].model_id}
        return client.get("/leaderboards/sentiment/discordance", params=both | params, headers=as_caller(*caller))

    return call


def test_examples_that_two_models_answer_differently_are_shown_without_their_label(ask: Ask) -> None:
    answer = ask()
    assert answer.status_code == 200, answer.text
    view = DiscordanceView(**answer.json())
    assert (view.dataset, view.examples, view.differing) == ("ranked", 40, 2)
    assert [(each.inputs, each.first, each.second) for each in view.shown] == [
        ({"statement": "text 38"}, "negative", "neutral"),
        ({"statement": "text 39"}, "negative", "neutral"),
    ]
    assert [each.label for each in view.shown] == [None, None]
    assert len(DiscordanceView(**ask(limit=1).json()).shown) == 1


def test_released_labels_are_shown(ask: Ask) -> None:
    assert DiscordanceView(**ask(dataset="released").json()).shown[0].label == ["positive"]


@pytest.mark.parametrize("caller", [READER, ("ada", Role.ADMIN)])
def test_examples_of_hidden_sets_are_nobodys(ask: Ask, caller: tuple[str, Role]) -> None:
    assert ask(caller, dataset="secret").status_code == 404


def test_whoever_has_not_signed_in_sees_no_examples(ask: Ask) -> None:
    view = DiscordanceView(**ask(("", Role.ANONYMOUS)).json())
    assert (view.shown, view.note) == ([], "Examples are shown to whoever signs in.")


def test_one_model_twice_or_an_unknown_one_is_told(ask: Ask, two: list[Submission]) -> None:
    assert ask(b=two[0].model_id).status_code == 422
    assert ask(b="f" * 32).status_code == 404


def test_a_model_that_is_not_published_cannot_be_compared_by_others(ask: Ask, world: World, two: Any) -> None:
    hidden = world.submission("mine", published=False, status="finished")
    assert ask(b=hidden.model_id).status_code == 404
    assert ask(b=hidden.model_id, unpublished=True).status_code == 404


@pytest.mark.usefixtures("two")
def test_tags_are_compared_with_the_rest_of_their_dataset(
    world: World, run_score: Callable[[str], None], client: httpx.Client, as_caller: Callable[..., dict[str, str]]
) -> None:
    odd: Dataset = world.dataset(
        "odd",
        [example | {"tags": ["odd"] if place < 40 else []} for place, example in enumerate(_texts(["positive"] * 200))],
        tags={"odd": 40},
    )
    found = [world.submission("wins"), world.submission("loses")]
    for submission, right in zip(found, (40, 10), strict=True):
        world.evaluation(
            submission, odd, labelled(["positive"] * right + ["neutral"] * (40 - right) + ["positive"] * 160)
        )
        run_score(submission.id)
    params = {"a": found[0].model_id, "b": found[1].model_id, "dataset": "odd"}
    answer = client.get("/leaderboards/sentiment/discordance", params=params, headers=as_caller(*READER))
    (part,) = DiscordanceView(**answer.json()).parts
    assert (part.tag, part.n, part.first, part.second) == ("odd", 40, 100, 25)
    assert part.excess == pytest.approx(75 - 15)
    assert part.adjusted_p < 1e-6

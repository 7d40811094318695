"""The routes that hold models against one another, over a real database: pairs, influence, the weight map, slices."""

from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest

from dynaboard.comparison_schemas import InfluenceView, PairsView, WeightMapView
from dynaboard.identity import Role
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.tables import Submission
from tests.scoring.world import World, labelled

EXAMPLES = 400
BLOCKS = [{"start_s": float(place), "seconds": 1.0, "examples": 100 + place} for place in range(6)]
SAMPLES = [[place + 0.5, 2**30 + place] for place in range(6)]
# name: share of right answers on plain examples and on hard ones, throughput, memory
MODELS = {"best": (0.9, 0.8, 20, 5), "twin": (0.9, 0.8, 21, 5), "quick": (0.7, 0.6, 200, 1), "weak": (0.6, 0.2, 30, 4)}
Ask = Callable[..., httpx.Response]


@pytest.fixture
def landed(world: World, run_score: Callable[[str], None]) -> dict[str, Submission]:
    """Four models on one dataset, a quarter of it tagged "hard"; the twin answers as the best does."""
    draw = np.random.default_rng(0)
    luck = draw.random(EXAMPLES)
    examples = [{"label": "positive", "tags": ["hard"] if place % 4 == 0 else []} for place in range(EXAMPLES)]
    dataset = world.dataset("sst", examples, tags={"hard": EXAMPLES // 4})
    found = {}
    for name, (plain, hard, throughput, memory) in MODELS.items():
        shares = np.where(np.arange(EXAMPLES) % 4 == 0, hard, plain)
        submission = found[name] = world.submission(name)
        world.evaluation(submission, dataset, labelled(np.where(luck < shares, "positive", "negative").tolist()))
        world.cost(submission, dataset, throughput, memory, provenance={"blocks": BLOCKS, "memory_samples": SAMPLES})
        run_score(submission.id)
    return found


@pytest.fixture
def ask(client: httpx.Client, as_caller: Callable[..., dict[str, str]]) -> Ask:
    """GET of a sentiment board's parts by anybody."""

    def call(part: str = "", **params: Any) -> httpx.Response:
        path = f"/leaderboards/sentiment{part}"
        return client.get(path, params=params, headers=as_caller("", Role.ANONYMOUS))

    return call


@pytest.mark.usefixtures("landed")
def test_a_board_says_tie_where_two_models_cannot_be_told_apart(ask: Ask) -> None:
    board = LeaderboardView(**ask().json())
    rows = {row.name: row for row in board.rows}
    assert rows["best"].tie_group == rows["twin"].tie_group == 1
    assert (rows["best"].rank_low, rows["best"].rank_high) == (1, 2)
    assert rows["weak"].tie_group != 1
    for row in board.rows:
        assert row.score is not None
        assert row.score_low is not None
        assert row.score_high is not None
        assert row.score_low <= row.score <= row.score_high
        assert set(row.aggregations) == {"dynascore", "zscore", "mean_rank"}
    assert [rows[name].pareto for name in ("quick", "weak")] == [True, False]
    assert sum(row.first or 0 for row in board.rows) == pytest.approx(1)


@pytest.mark.usefixtures("landed")
def test_rows_can_stand_in_the_order_of_their_mean_rank(ask: Ask) -> None:
    means = [row.aggregations["mean_rank"] for row in LeaderboardView(**ask(sort="mean_rank").json()).rows]
    assert means == sorted(means)  # type: ignore[type-var]


@pytest.mark.usefixtures("landed")
def test_a_board_says_how_it_is_sure_and_what_a_unit_is_worth(ask: Ask) -> None:
    board = LeaderboardView(**ask().json())
    assert board.uncertainty is not None
    assert (board.uncertainty.method, board.uncertainty.replicates) == ("max-t", 50)
    assert (board.uncertainty.unpaired_cells, board.uncertainty.certain_cells) == (0, 0)
    assert set(board.uncertainty.amrs) == {"throughput", "memory", "fairness", "robustness"}
    assert board.explanations[0].startswith("One more example a second is worth ")
    assert board.explanations[1].startswith("One GiB of memory saved is worth ")


def test_pairs_are_told_apart_as_in_the_tie_groups(ask: Ask, landed: dict[str, Submission]) -> None:
    table = PairsView(**ask("/pairs").json())
    names = {model.model_id: model.name for model in table.models}
    assert (table.total, len(table.pairs)) == (6, 6)
    by_name = {frozenset((names[pair.better], names[pair.worse])): pair for pair in table.pairs}
    twins = by_name[frozenset(("best", "twin"))]
    assert not twins.different
    assert by_name[frozenset(("best", "weak"))].different
    assert all(pair.low <= pair.difference <= pair.high and pair.adjusted_p >= 0 for pair in table.pairs)
    one = PairsView(**ask("/pairs", model=landed["weak"].model_id, correction="by", limit=2).json())
    assert (one.total, len(one.pairs), one.correction) == (3, 2, "by")


@pytest.mark.usefixtures("landed")
def test_influence_names_every_model_of_the_pool_and_both_methods(ask: Ask) -> None:
    view = InfluenceView(**ask("/influence").json())
    assert {model.name for model in view.models} == set(MODELS)
    assert set(view.methods) == {"mean", "median"}
    assert view.methods["mean"].moved_total == 0
    assert view.epsilon_steps[0].threshold == 0
    assert ask("/influence", aggregation="zscore").status_code == 422


@pytest.mark.usefixtures("landed")
def test_the_median_of_slopes_can_be_chosen(ask: Ask) -> None:
    board = LeaderboardView(**ask(amrs_method="median").json())
    view = InfluenceView(**ask("/influence").json())
    assert board.amrs_method == "median"
    for metric in ("throughput", "memory"):
        assert board.amrs[metric] == pytest.approx(view.methods["median"].amrs[metric], rel=1e-5)


@pytest.mark.usefixtures("landed")
def test_the_weight_map_names_weights_that_do_put_a_model_first(ask: Ask) -> None:
    view = WeightMapView(**ask("/weight-map", x="throughput", y="memory").json())
    quick = next(model for model in view.models if model.name == "quick")
    assert quick.can_be_first
    assert quick.nearest_weights is not None
    assert len(quick.polygon) >= 3
    more = {f"weight.{name}": weight for name, weight in quick.nearest_weights.items()}
    more["weight.performance"] = max(more["weight.performance"] - 0.01, 0)
    rows = LeaderboardView(**ask(**more).json()).rows
    assert rows[0].name == "quick" or rows[0].rank == rows[1].rank
    weak = next(model for model in view.models if model.name == "weak")
    assert (weak.can_be_first, weak.nearest_weights, weak.polygon) == (False, None, [])


@pytest.mark.usefixtures("landed")
def test_a_map_of_one_metric_twice_is_refused(ask: Ask) -> None:
    answer = ask("/weight-map", x="memory", y="memory")
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("x and y must be two of performance, throughput, memory")


@pytest.mark.usefixtures("landed")
def test_a_slice_counts_performance_on_its_examples_only(ask: Ask) -> None:
    board = LeaderboardView(**ask(tag="hard").json())
    weak = next(row for row in board.rows if row.name == "weak")
    assert board.tag == "hard"
    performance = weak.metrics["performance"]
    assert performance is not None
    assert (performance.n, performance.value) == (100, pytest.approx(20, abs=12))
    assert performance.low is not None
    assert weak.metrics["throughput"] is not None


@pytest.mark.usefixtures("landed")
def test_a_tag_nobody_has_is_told_with_those_there_are(ask: Ask) -> None:
    answer = ask(tag="easy")
    assert answer.status_code == 422
    assert answer.json()["detail"] == "No scoring dataset has the tag 'easy'; there are: hard."


def test_an_empty_board_has_no_pairs_and_no_influence(ask: Ask) -> None:
    assert PairsView(**ask("/pairs").json()).pairs == []
    assert InfluenceView(**ask("/influence").json()).models == []
    assert ask("/weight-map").status_code == 422

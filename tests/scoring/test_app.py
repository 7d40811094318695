"""The routes of scoring: boards as people ask for them, and who may see what."""

import csv
import io
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from dynaboard.identity import Role
from dynaboard.leaderboard_schemas import LeaderboardView, ScoreView
from dynaboard.tables import Dataset, HardwareProfile, Submission
from tests.scoring.world import HARDWARE, World, labelled

REFERENCES = ["positive", "negative", "neutral", "positive", "positive"]
AsCaller = Callable[..., dict[str, str]]


def _answers(right: int) -> list[str]:
    return [label if place < right else "wrong" for place, label in enumerate(REFERENCES)]


@pytest.fixture
def land(world: World, run_score: Callable[[str], None]) -> Callable[..., Submission]:
    """A model that answers so many of the five examples of each dataset right, with its cost, scored."""

    def landed(name: str, right: int, datasets: list[Dataset], cost: tuple[float, float], **columns: Any) -> Submission:
        submission = world.submission(name, **columns)
        for dataset in datasets:
            world.evaluation(submission, dataset, labelled(_answers(right)))
            world.cost(submission, dataset, *cost)
        run_score(submission.id)
        return submission

    return landed


@pytest.fixture
def get(client: httpx.Client, as_caller: AsCaller) -> Callable[..., httpx.Response]:
    """GET as a caller; nobody by default."""

    def call(path: str, caller: tuple[str, Role] = ("", Role.ANONYMOUS), **params: Any) -> httpx.Response:
        return client.get(path, params=params, headers=as_caller(*caller))

    return call


@pytest.fixture
def board(get: Callable[..., httpx.Response]) -> Callable[..., LeaderboardView]:
    """The sentiment board under query parameters."""

    def fetch(caller: tuple[str, Role] = ("", Role.ANONYMOUS), **params: Any) -> LeaderboardView:
        answer = get("/leaderboards/sentiment", caller, **params)
        assert answer.status_code == 200, answer.text
        return LeaderboardView(**answer.json())

    return fetch


Land = Callable[..., Submission]
Fetch = Callable[..., LeaderboardView]
Get = Callable[..., httpx.Response]
BIG, SMALL = (10.0, 4.0), (30.0, 1.0)


@pytest.fixture
def three(world: World, land: Land) -> Dataset:
    """Three models on one dataset."""
    dataset = world.dataset("sst", labelled(REFERENCES))
    land("big", 5, [dataset], BIG)
    land("mid", 3, [dataset], (15.0, 2.0))
    land("small", 2, [dataset], SMALL)
    return dataset


@pytest.mark.usefixtures("three")
def test_models_are_ranked_by_their_dynascore(board: Fetch) -> None:
    shown = board()
    # perf 100, 60, 40; slopes of throughput 5/40 and 15/20, of memory saved 2/40 and 1/20
    assert shown.amrs == {
        "performance": 1,
        "throughput": pytest.approx(0.4375),
        "memory": pytest.approx(0.05),
        "fairness": None,
        "robustness": None,
    }
    assert [(row.rank, row.name) for row in shown.rows] == [(1, "big"), (2, "mid"), (3, "small")]
    expected = 4 / 6 * 100 + 1 / 6 * 10 / 0.4375 + 1 / 6 * 28 / 0.05
    assert shown.rows[0].score == pytest.approx(expected)


def test_everything_that_made_the_number_comes_with_it(three: Dataset, board: Fetch) -> None:
    shown = board()
    assert shown.weights == pytest.approx(
        {"performance": 4 / 6, "throughput": 1 / 6, "memory": 1 / 6, "fairness": 0, "robustness": 0}
    )
    assert shown.dataset_weights == {"sst": 1}
    assert (shown.datasets[0]["version"], shown.datasets[0]["digest"]) == (1, three.digest)
    assert shown.epsilon == {"mode": "relative", "value": 1e-4, "threshold": pytest.approx(0.01)}
    assert shown.memory_budget_gib == 32
    assert shown.hardware_profile == HARDWARE
    assert shown.kept_pairs == {"throughput": 2, "memory": 2}
    assert shown.excluded == {"fairness": "No model has a value yet.", "robustness": "No model has a value yet."}
    assert shown.exchange_rates["throughput"] == pytest.approx(0.4375)
    assert sorted(shown.pool) == sorted(row.submission_id for row in shown.rows)
    assert shown.generated_at.tzinfo
    assert any("Dynascore" in warning for warning in shown.warnings)


def test_a_row_has_its_values_with_interval_n_and_origin(three: Dataset, board: Fetch) -> None:
    row = board(sort="performance").rows[0]
    assert row.name == "big"
    cell = row.datasets[0].cells["performance"]
    assert (cell.metric, cell.value, cell.n, cell.unit) == ("accuracy", 100, 5, "%")
    assert cell.provenance["dataset_digest"] == three.digest
    assert cell.provenance["model_digest"] == row.digest
    assert cell.provenance["predictions_digest"]
    throughput = row.metrics["throughput"]
    assert throughput is not None
    # Of the measurement only its interval is known, so its resamples (50 here) are stand-ins drawn out of that.
    assert (throughput.low, throughput.value, throughput.high) == (
        pytest.approx(9, abs=0.4),
        10,
        pytest.approx(11, abs=0.4),
    )
    assert row.metrics["fairness"] is None


@pytest.mark.usefixtures("three")
def test_weights_change_the_order(board: Fetch) -> None:
    shown = board(**{"weight.performance": 1, "weight.throughput": 0, "weight.memory": 0})
    assert [row.score for row in shown.rows] == [100, 60, 40]
    costs = {"weight.performance": 0, "weight.throughput": 1, "weight.memory": 1}
    assert [row.name for row in board(**costs).rows] == ["small", "mid", "big"]
    assert shown.exchange_rates["throughput"] is None


def test_dataset_weights(world: World, land: Land, board: Fetch) -> None:
    one, two = world.dataset("one", labelled(REFERENCES)), world.dataset("two", labelled(["positive"] * 5))
    land("a", 5, [one, two], BIG)
    shown = board(**{"dataset_weight.one": 3})
    cell = shown.rows[0].metrics["performance"]
    assert cell is not None
    assert shown.dataset_weights == {"one": 0.75, "two": 0.25}
    assert cell.value == pytest.approx(0.75 * 100 + 0.25 * 60)
    assert cell.n == 10


@pytest.mark.usefixtures("three")
def test_zscores(board: Fetch) -> None:
    shown = board(aggregation="zscore")
    assert shown.aggregation == "zscore"
    assert sum(row.score or 0 for row in shown.rows) == pytest.approx(0)
    assert shown.amrs == {}


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({"sort": "name"}, ["big", "mid", "small"]),
        ({"sort": "name", "order": "descending"}, ["small", "mid", "big"]),
        ({"sort": "memory"}, ["small", "mid", "big"]),
        ({"sort": "throughput", "order": "ascending"}, ["big", "mid", "small"]),
        ({"order": "ascending"}, ["small", "mid", "big"]),
        ({"limit": 1, "offset": 1}, ["mid"]),
    ],
)
def test_sorted_and_cut(board: Fetch, params: dict[str, Any], names: list[str]) -> None:
    shown = board(**params)
    assert [row.name for row in shown.rows] == names
    assert shown.total == 3


def test_incomplete_models_come_last_with_what_is_missing(world: World, land: Land, board: Fetch) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES))
    land("early", 5, [dataset], BIG)
    world.dataset("new", labelled(REFERENCES))
    world.submission("failed", status="failed")
    for order in ("ascending", "descending"):
        row = board(order=order).rows[-1]
        assert (row.name, row.rank, row.score) == ("early", None, None)
    land("late", 4, [dataset], BIG)
    assert board(**{"dataset_weight.new": 0}).rows[0].rank == 1


def test_a_missing_dataset_is_named(world: World, land: Land, board: Fetch) -> None:
    one, two = world.dataset("one", labelled(REFERENCES)), world.dataset("two", labelled(REFERENCES))
    land("whole", 5, [one, two], BIG)
    land("part", 5, [one], BIG)
    row = board().rows[-1]
    assert (row.name, row.rank) == ("part", None)
    assert row.missing == ["performance on two", "throughput on two", "memory on two"]


def test_the_newest_finished_version_stands_for_its_model(world: World, land: Land, board: Fetch) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES))
    land("tiny", 2, [dataset], BIG)
    land("tiny", 4, [dataset], BIG, version=2)
    world.submission("tiny", version=3, status="running")
    (row,) = board().rows
    assert (row.version, row.score) == (2, 80)


def test_only_the_newest_version_of_a_dataset_counts(world: World, land: Land, board: Fetch) -> None:
    old = world.dataset("sst", labelled(REFERENCES))
    new = world.dataset("sst", labelled([*REFERENCES[:4], "neutral"]), version=2)
    land("tiny", 5, [old, new], BIG)
    shown = board()
    assert [dataset["version"] for dataset in shown.datasets] == [2]
    assert shown.rows[0].score == 80


def test_standard_datasets_are_shown_but_not_ranked(world: World, land: Land, board: Fetch) -> None:
    ranked = world.dataset("sst", labelled(REFERENCES))
    other = world.dataset("other", labelled(["neutral"] * 5), role="standard")
    land("tiny", 5, [ranked, other], BIG)
    (row,) = board().rows
    assert row.score == 100
    assert {of.name: (of.weight, of.cells["performance"].value) for of in row.datasets} == {
        "sst": (1, 100),
        "other": (0, 20),
    }


@pytest.mark.parametrize(("role", "seen"), [(Role.SUBMITTER, False), (Role.TASK_OWNER, True)])
def test_hidden_datasets_are_for_task_owners(
    world: World, land: Land, board: Fetch, get: Get, role: Role, seen: bool
) -> None:
    hidden = world.dataset("secret", labelled(REFERENCES), role="hidden")
    submission = land("tiny", 5, [hidden], BIG)
    assert bool(board(("ada", role)).datasets) is seen
    assert bool(get(f"/submissions/{submission.id}/scores", ("ada", role)).json()) is seen


def test_unpublished_models_are_for_who_asks_and_may_see_them(world: World, land: Land, board: Fetch) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES))
    land("open", 5, [dataset], BIG)
    land("draft", 4, [dataset], BIG, published=False)

    def names(*caller: Any, unpublished: bool) -> set[str]:
        return {row.name for row in board(caller, unpublished=unpublished).rows}

    assert names("ada", Role.SUBMITTER, unpublished=False) == {"open"}
    assert names("ada", Role.SUBMITTER, unpublished=True) == {"open", "draft"}
    assert names("root", Role.ADMIN, unpublished=True) == {"open", "draft"}
    assert names("bob", Role.TASK_OWNER, unpublished=True) == {"open"}
    assert names("ada", Role.ANONYMOUS, unpublished=True) == {"open"}


@pytest.mark.parametrize(
    ("caller", "owner"),
    [
        (("", Role.ANONYMOUS), None),
        (("bob", Role.SUBMITTER), None),
        (("ada", Role.SUBMITTER), "ada"),
        (("root", Role.ADMIN), "ada"),
    ],
)
def test_the_owner_of_an_anonymous_model_is_hidden(
    world: World, land: Land, board: Fetch, get: Get, caller: tuple[str, Role], owner: str | None
) -> None:
    land("shy", 5, [world.dataset("sst", labelled(REFERENCES))], BIG, anonymous=True)
    assert board(caller).rows[0].owner == owner
    # Between commas: ids are random letters and digits, and "ada" may be among them.
    assert (",ada," in get("/leaderboards/sentiment.csv", caller).text) is bool(owner)


def test_predictions_alone_are_unverified_and_unranked_while_cost_counts(
    world: World, land: Land, board: Fetch, run_score: Callable[[str], None]
) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES))
    land("whole", 4, [dataset], BIG)
    paper = world.submission("paper", kind="predictions")
    world.evaluation(paper, dataset, labelled(REFERENCES))
    run_score(paper.id)
    row = board().rows[-1]
    assert (row.name, row.rank, row.verified, row.flags) == ("paper", None, False, ["unverified"])
    assert row.missing == ["throughput on sst", "memory on sst"]
    free = {"weight.throughput": 0, "weight.memory": 0}
    assert [(row.rank, row.name) for row in board(**free).rows] == [(1, "paper"), (2, "whole")]


def test_cost_counts_on_one_hardware_profile_with_its_own_memory_limit_as_budget(
    world: World, land: Land, board: Fetch
) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES))
    land("one", 5, [dataset], BIG)
    moved, other = land("two", 5, [dataset], BIG), "b" * 64
    world.add(HardwareProfile(fingerprint=other, description={"limits": {"memory_bytes": 8 * 2**30}}))
    world.cost(moved, dataset, 99, 1, hardware_profile=other)
    assert board().hardware_profile == HARDWARE
    shown = board(hardware=other)
    assert shown.memory_budget_gib == 8
    assert {row.name: row.rank for row in shown.rows} == {"two": 1, "one": None}


def test_flags_of_the_cells_are_shown_on_the_row(world: World, board: Fetch, run_score: Callable[[str], None]) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    world.evaluation(submission, dataset, labelled(REFERENCES))
    world.cost(submission, dataset, *BIG, flags=["quick", "noisy"])
    run_score(submission.id)
    assert board().rows[0].flags == ["noisy", "quick"]


def test_what_a_cost_was_computed_from_is_with_the_scores_not_on_the_board(
    world: World, board: Fetch, get: Get, run_score: Callable[[str], None]
) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    world.evaluation(submission, dataset, labelled(REFERENCES))
    blocks = [{"start_s": 0.0, "seconds": 1.0, "examples": 10}]
    world.cost(submission, dataset, *BIG, provenance={"blocks": blocks, "memory_samples": [[0.5, 1]], "seed": "s"})
    run_score(submission.id)
    shown = board().rows[0].datasets[0].cells["throughput"].provenance
    assert shown == {"seed": "s", "model_digest": submission.digest, "dataset_digest": dataset.digest}
    scores = get(f"/submissions/{submission.id}/scores").json()
    assert [cell["provenance"]["blocks"] for cell in scores if cell["metric"] == "throughput"] == [blocks]


def test_a_throughput_names_its_machine_in_full(world: World, get: Get, run_score: Callable[[str], None]) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    world.evaluation(submission, dataset, labelled(REFERENCES))
    machine = {"cpu": "A quick one", "cores": 2, "limits": {"memory_bytes": 2**30}}
    world.add(HardwareProfile(fingerprint=HARDWARE, description=machine))
    world.cost(submission, dataset, *BIG)
    run_score(submission.id)
    scores = get(f"/submissions/{submission.id}/scores").json()
    assert [cell["provenance"].get("hardware") for cell in scores if cell["metric"] == "throughput"] == [machine]


def test_an_empty_board_is_a_board(board: Fetch) -> None:
    shown = board()
    assert (shown.rows, shown.total, shown.dataset_weights) == ([], 0, {})


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"weight.speed": 1}, "There is no metric 'speed' here; a weight may name: performance, throughput, memory"),
        ({"weight.memory": "heavy"}, "weight.memory must be a number of at least 0, not 'heavy'."),
        ({"weight.memory": -1}, "The weight of metric 'memory' must be a number of at least 0, not -1.0."),
        ({"weight.memory": "nan"}, "must be a number of at least 0, not nan"),
        ({"dataset_weight.imdb": 1}, "There is no dataset 'imdb' here; a weight may name: sst."),
        ({"dataset_weight.sst": 0}, "All dataset weights are 0"),
        ({"wieght.memory": 1}, "There is no parameter 'wieght.memory'; there are aggregation, base,"),
        ({"sort": "beauty"}, "'score'"),
        ({"epsilon_mode": "fuzzy"}, "'relative' or 'absolute'"),
        ({"aggregation": "median"}, "'dynascore' or 'zscore'"),
        ({"limit": 0}, "limit: "),
        ({"epsilon": -1}, "epsilon: "),
    ],
)
def test_what_cannot_be_asked_is_told_with_what_can(get: Get, params: dict[str, Any], sentence: str) -> None:
    answer = get("/leaderboards/sentiment", **params)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


def test_an_unknown_task_is_told(get: Get) -> None:
    assert get("/leaderboards/chess").status_code == 404


def test_only_the_gateway_may_ask(client: httpx.Client) -> None:
    assert client.get("/leaderboards/sentiment").status_code == 401


@pytest.mark.usefixtures("three")
def test_csv_has_a_line_for_each_model(get: Get) -> None:
    answer = get("/leaderboards/sentiment.csv", **{"weight.performance": 1, "weight.throughput": 0, "weight.memory": 0})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "leaderboard-sentiment.csv" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["rank"], row["model"], row["performance (%)"]) for row in rows] == [
        ("1", "big", "100.0"),
        ("2", "mid", "60.0"),
        ("3", "small", "40.0"),
    ]
    assert rows[0]["memory (GiB)"] == "4.0"
    assert rows[0]["fairness (%)"] == ""


def test_all_scores_of_a_submission(world: World, land: Land, get: Get) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES, tags=["short"]))
    submission = land("tiny", 5, [dataset], BIG)
    scores = [ScoreView(**cell) for cell in get(f"/submissions/{submission.id}/scores").json()]
    named = {(cell.metric, cell.tag): cell.value for cell in scores}
    assert named["accuracy", ""] == named["accuracy", "short"] == named["macro_f1", ""] == 100
    assert (named["throughput", ""], named["memory", ""]) == BIG
    assert {cell.dataset for cell in scores} == {"sst"}


@pytest.mark.parametrize(
    ("caller", "status"),
    [(("", Role.ANONYMOUS), 404), (("bob", Role.SUBMITTER), 404), (("ada", Role.SUBMITTER), 200)],
)
def test_scores_of_an_unpublished_model_are_its_owners(
    world: World, get: Get, caller: tuple[str, Role], status: int
) -> None:
    submission = world.submission("draft", published=False)
    assert get(f"/submissions/{submission.id}/scores", caller).status_code == status


def test_an_unknown_submission_is_not_found(get: Get) -> None:
    assert get("/submissions/nope/scores").status_code == 404

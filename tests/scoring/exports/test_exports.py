"""Boards as files: readable by what reads such files, whatever the names, and complete."""

import csv
import io
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.leaderboard_schemas import CellView, LeaderboardRow, LeaderboardView
from services.scoring.exports.comma_separated import to_csv
from services.scoring.exports.latex import to_latex
from services.scoring.exports.markdown import to_markdown

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


def cell(metric: str, value: float, low: float | None = None, high: float | None = None) -> CellView:
    return CellView(metric=metric, value=value, low=low, high=high, n=100, unit="%")


def row(name: str, rank: int | None = 1, **columns: Any) -> LeaderboardRow:
    values = {
        "score": 71.312 if rank else None,
        "score_low": 70.1 if rank else None,
        "score_high": 72.9 if rank else None,
        "rank_low": rank,
        "rank_high": rank and rank + 1,
        "owner": "ada",
        "digest": "d" * 64,
        "metrics": {"performance": cell("performance", 76.07, 75, 77.2), "memory": None},
    } | columns
    flags = {"verified": True, "baseline": False, "published": True}
    return LeaderboardRow(rank=rank, name=name, model_id=name, submission_id="s", version=1, **flags, **values)


def board(*rows: LeaderboardRow, **columns: Any) -> LeaderboardView:
    values: dict[str, Any] = {
        "weights": {"performance": 1.0, "memory": 0.0},
        "dataset_weights": {"sst": 1.0},
        "datasets": [{"name": "sst", "version": 3, "digest": "e" * 64, "role": "scoring", "examples": 100}],
        "units": {"performance": "%", "memory": "GiB"},
        "amrs": {},
        "exchange_rates": {},
        "kept_pairs": {},
        "excluded": {"memory": "No model has a value yet."},
        "epsilon": {},
        "memory_budget_gib": 32,
        "hardware_profile": None,
        "pool": ["s"],
        "generated_at": datetime(2026, 5, 3, 12, tzinfo=UTC),
    } | columns
    size = {"total": len(rows), "limit": 1000, "offset": 0, "sort": "score", "order": "descending"}
    return LeaderboardView(
        task="sentiment", aggregation="dynascore", base_metric="performance", rows=list(rows), **size, **values
    )


def test_csv_has_every_number_in_full_with_its_interval() -> None:
    (line,) = csv.DictReader(io.StringIO(to_csv(board(row("tiny")))))
    assert [line[name] for name in ("rank", "rank low", "rank high", "score", "score low", "score high")] == [
        *("1", "1", "2"),
        *("71.312", "70.1", "72.9"),
    ]
    assert [line[f"performance {name}"] for name in ("(%)", "low", "high")] == ["76.07", "75.0", "77.2"]
    assert line["memory (GiB)"] == ""


@given(name=TEXTS)
def test_csv_gives_any_name_back_and_no_formula(name: str) -> None:
    _, line = csv.reader(io.StringIO(to_csv(board(row(name))), newline=""))
    found = line[7]
    assert found.removeprefix("'") == name.removeprefix("'")
    assert not found.startswith(("=", "+", "-", "@"))


def test_latex_is_a_booktabs_table_with_intervals_and_what_made_it() -> None:
    text = to_latex(board(row("tiny_50%", 1), row("part", None, score=None)))
    assert r"1 {\scriptsize [1, 2]} & tiny\_50\% & 71.31 {\scriptsize [70.10, 72.90]} & 76.07" in text
    assert r"-- & part & --" in text
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{tabular}{rlrrr}", "sst version 3", "2026-05-03"):
        assert part in text
    assert "Rows are ordered by score, descending, equal ones by performance, then by model id" in text


@given(name=TEXTS)
def test_latex_holds_no_command_from_a_name(name: str) -> None:
    body = to_latex(board(row(name))).split(r"\midrule")[1].split(r"\bottomrule")[0].strip()
    assert body.count("\n") == 0
    # Beside our own commands every special character stands escaped, and the columns are as many as they were.
    ours = r"\\(textbackslash\{\}|text(asciitilde|asciicircum|less|greater)\{\}|[{}&%$#_])"
    bare = re.sub(r"\{\\scriptsize |\}(?= &|  *\\\\|$)", "", re.sub(ours, "", body)).removesuffix("\\\\")
    assert not re.search(r"[\\%$#_~^]", bare)
    assert bare.count("&") == 4


def test_markdown_is_a_table_with_what_made_it_below() -> None:
    lines = to_markdown(board(row("tiny"))).splitlines()
    assert lines[0] == r"| Rank | Model | Score | performance (%) | memory (GiB) |"
    assert lines[1] == "| --: | :-- | --: | --: | --: |"
    assert lines[2] == r"| 1 \[1, 2\] | tiny | 71.31 \[70.10, 72.90\] | 76.07 \[75.00, 77.20\] | – |"
    assert any("Not counted: memory. No model has a value yet." in line for line in lines)


@given(name=TEXTS)
def test_markdown_keeps_its_columns_whatever_the_name(name: str) -> None:
    line = to_markdown(board(row(name))).split("\n")[2]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 6
    assert "<" not in line.replace(r"\<", "")


@pytest.mark.parametrize("write", [to_csv, to_latex, to_markdown])
def test_an_empty_board_is_a_table_without_rows(write: Any) -> None:
    assert write(board())

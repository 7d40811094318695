"""The page at /plain: every task's leaderboard as a table that needs no script and nothing from elsewhere."""

import asyncio

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import TypeAdapter

from dynaboard.errors import DynaboardError, Unavailable
from dynaboard.identity import NOBODY
from dynaboard.leaderboard_schemas import CellView, LeaderboardView
from dynaboard.task_schemas import TaskView
from services.gateway.callers import AnyoneDep
from services.gateway.context import ContextDep
from services.gateway.upstreams import SCORING, Upstreams

ROWS = 50
router = APIRouter(include_in_schema=False)


def number(value: float) -> str:
    """With as many digits as a reader can use: 1,234 · 123.4 · 12.34 · 0.123."""
    decimals = next((digits for digits, least in enumerate((1000, 100, 1)) if abs(value) >= least), 3)
    return f"{value:,.{decimals}f}"


def interval(cell: CellView) -> str:
    """`low–high`, or nothing when it is not known."""
    return "" if cell.low is None or cell.high is None else f"{number(cell.low)}–{number(cell.high)}"


def make_pages() -> Environment:
    """The templates; whatever is put into them is escaped."""
    pages = Environment(
        loader=PackageLoader("services.gateway"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    pages.filters |= {"number": number, "interval": interval}
    return pages


PAGES = make_pages()


@router.get("/plain", response_class=HTMLResponse)
async def leaderboards(context: ContextDep, _: AnyoneDep) -> HTMLResponse:
    """As everybody may see them: published models under default weights."""
    tasks = await _tasks(context.upstreams)
    boards = await asyncio.gather(*(_board(context.upstreams, task.name) for task in tasks))
    page = PAGES.get_template("leaderboards.html").render(boards=list(zip(tasks, boards, strict=True)), rows=ROWS)
    return HTMLResponse(page, 200 if any(boards) else Unavailable.status)


async def _tasks(upstreams: Upstreams) -> list[TaskView]:
    try:
        answer = await upstreams.get(SCORING, "/tasks", NOBODY)
    except DynaboardError:
        return []
    return TypeAdapter(list[TaskView]).validate_json(answer.content) if answer.is_success else []


async def _board(upstreams: Upstreams, task: str) -> LeaderboardView | None:
    try:
        answer = await upstreams.get(SCORING, f"/leaderboards/{task}?limit={ROWS}", NOBODY)
    except DynaboardError:
        return None
    return LeaderboardView.model_validate_json(answer.content) if answer.is_success else None

"""Numbers and sentences that the formats for readers share."""

from dynaboard.leaderboard_schemas import CellView, LeaderboardView


def number(value: float) -> str:
    """With as many digits as a reader can use: 1234 · 123.4 · 12.34 · 0.0123."""
    size = abs(value)
    if size >= 1000:
        return f"{value:.0f}"
    if size >= 100:
        return f"{value:.1f}"
    return f"{value:.2f}" if size >= 0.1 or size == 0 else f"{value:.3g}"


def interval(low: float | None, high: float | None) -> str:
    """`[low, high]`, or nothing where it is not known."""
    return "" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def value_and_interval(cell: CellView | None) -> tuple[str, str]:
    """The two texts of a cell; a dash where there is none."""
    return ("–", "") if cell is None else (number(cell.value), interval(cell.low, cell.high))


def whole_interval(low: int | None, high: int | None) -> str:
    """The ends of a rank's interval, or nothing where it is not known or one place alone."""
    return "" if low is None or high is None or low == high else f"[{low}, {high}]"


def order_sentence(board: LeaderboardView) -> str:
    """In which order the rows stand; the same board always has the same."""
    ties = "equal ones by model id"
    if board.sort == "score" and board.order == "descending":
        ties = f"equal ones by {board.base_metric}, then by model id"
    last = "" if board.sort == "name" else "; models without it come last"
    return f"Rows are ordered by {board.sort}, {board.order}, {ties}{last}."


def method_sentences(board: LeaderboardView) -> list[str]:
    """What a reader must know beside the table: weights, datasets and their versions, what was left out, when."""
    weights = ", ".join(f"{metric} {weight:.3g}" for metric, weight in board.weights.items())
    counted = [dataset for dataset in board.datasets if board.dataset_weights.get(dataset["name"], 0) > 0]
    sets = ", ".join(
        f"{dataset['name']} version {dataset['version']} ({board.dataset_weights[dataset['name']]:.3g}, "
        f"sha256 {dataset['digest'][:12]})"
        for dataset in counted
    )
    excluded = [f"Not counted: {metric}. {reason}" for metric, reason in board.excluded.items()]
    return [
        f"{board.total} models, {len(board.pool)} of them in the pool of the exchange rates. Brackets: 95 % intervals.",
        f"Weights of metrics: {weights}.",
        f"Datasets (weight): {sets or 'none'}.",
        *excluded,
        order_sentence(board),
        f"Generated {board.generated_at:%Y-%m-%d %H:%M:%S %Z}.",
    ]

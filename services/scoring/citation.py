"""What to report with a leaderboard: datasets, metric weights and timestamp, as the paper asks. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from dynaboard.board_schemas import Citation, CitedDataset, SnapshotView
from dynaboard.tables import Dataset
from services.scoring.exports.latex import escaped


def citation(snapshot: SnapshotView, title: str, board: Mapping[str, Any], sources: Sequence[Dataset]) -> Citation:
    """The card of a frozen board (a LeaderboardView as JSON); `sources` are its datasets, where they are known.

    `title` is the task's.
    """
    known = {dataset.digest: dataset for dataset in sources}
    datasets = [
        CitedDataset(
            **{key: dataset[key] for key in ("name", "version", "digest")},
            weight=board["dataset_weights"][dataset["name"]],
            licence=known[dataset["digest"]].licence if dataset["digest"] in known else None,
            citation=known[dataset["digest"]].citation or None if dataset["digest"] in known else None,
        )
        for dataset in board["datasets"]
        if board["dataset_weights"].get(dataset["name"], 0) > 0
    ]
    copied = ("aggregation", "base_metric", "weights", "amrs", "epsilon", "memory_budget_gib", "hardware_profile")
    return Citation(
        snapshot=snapshot.id,
        address=snapshot.address,
        digest=snapshot.digest,
        task=snapshot.task,
        title=title,
        timestamp=board["generated_at"],
        models=board["total"],
        datasets=datasets,
        **{key: board[key] for key in copied},
    )


def as_text(card: Citation) -> str:
    """A paragraph for a paper's appendix, one fact a line."""
    lines = [
        f"Dynaboard leaderboard {card.title}, snapshot {card.snapshot}.",
        f"Taken: {card.timestamp:%Y-%m-%d %H:%M:%S %Z}. Models: {card.models}.",
        f"Aggregation: {card.aggregation}. Metric weights: {_weights(card.weights)}.",
        "Datasets:",
        *(f"  {_dataset(dataset)}" for dataset in card.datasets),
        f"Address: {card.address}",
        f"sha256: {card.digest}",
    ]
    return "\n".join(lines) + "\n"


def as_bibtex(card: Citation) -> str:
    """A @misc entry."""
    sets = "; ".join(f"{dataset.name} version {dataset.version} ({dataset.weight:.3g})" for dataset in card.datasets)
    note = (
        f"Snapshot {card.snapshot} taken {card.timestamp:%Y-%m-%d %H:%M:%S %Z}. Aggregation: {card.aggregation}. "
        f"Metric weights: {_weights(card.weights)}. Datasets (weights): {sets}. sha256 {card.digest}"
    )
    fields = {
        "title": f"{{Dynaboard leaderboard: {escaped(card.title)}}}",
        "author": "{Dynaboard}",
        "year": f"{card.timestamp:%Y}",
        "month": f"{card.timestamp:%b}".lower(),
        "howpublished": escaped(card.address),
        "note": escaped(note),
    }
    inside = ",\n".join(f"  {name} = {{{value}}}" if name != "month" else f"  month = {value}" for name, value in
                        fields.items())  # fmt: skip
    return f"@misc{{dynaboard-{card.snapshot},\n{inside}\n}}\n"


def _weights(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {weight:.3g}" for name, weight in weights.items())


def _dataset(dataset: CitedDataset) -> str:
    source = f" {dataset.citation}" if dataset.citation else ""
    return f"{dataset.name} version {dataset.version}, weight {dataset.weight:.3g}, sha256 {dataset.digest}.{source}"

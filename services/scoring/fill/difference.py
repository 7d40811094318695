"""Two versions of a metric side by side: which models move when a metric is corrected."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.backfill_schemas import MetricDifference, MovedModel
from dynaboard.errors import Invalid, NotFound
from dynaboard.identity import NOBODY
from dynaboard.tables import Score
from dynaboard.task import Task
from services.scoring.leaderboard import SCORING, Entry, datasets, entries
from services.scoring.metrics import metric_of

# version -> model digest -> dataset digest -> value
Values = Mapping[str, Mapping[str, Mapping[str, float]]]


def metric_difference(db: Session, task: Task, metric: str, before: str | None, after: str | None) -> MetricDifference:
    """The published models under two versions: the two newest, unless named. Raises NotFound, and Invalid for one."""
    known = metric_of(task, metric)
    listed = entries(db, task, NOBODY, unpublished=False)
    scored = [dataset for dataset in datasets(db, task, NOBODY) if dataset.role == SCORING]
    names = {dataset.digest: dataset.name for dataset in scored}
    values = _values(db, metric, listed, list(names))
    versions = sorted(values, key=_order)
    two = _two(metric, versions, before, after)
    shared = _shared(listed, values, two, list(names))
    if not shared:
        raise NotFound(f"No model has {metric} in both versions {two[0]} and {two[1]} on a dataset of this board.")
    common = sorted(set.intersection(*map(set, shared.values())))
    means = [
        {model: sum(values[version][model][digest] for digest in common) / len(common) for model in shared}
        for version in two
    ]
    rows = _rows(listed, means, higher_is_better=known.higher_is_better)
    return MetricDifference(
        task=task.name,
        metric=metric,
        before=two[0],
        after=two[1],
        versions=versions,
        in_force=str(known.version),
        datasets=sorted(names[digest] for digest in common),
        sentence=_sentence(rows, known.unit),
        models=rows,
    )


def _values(db: Session, metric: str, listed: Sequence[Entry], scored: Sequence[str]) -> Values:
    found: defaultdict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    wanted = select(Score.metric_version, Score.model_digest, Score.dataset_digest, Score.value).where(
        Score.metric == metric,
        Score.tag == "",
        Score.perturbation_digest == "",
        Score.dataset_digest.in_(scored),
        Score.model_digest.in_([entry.digest for entry in listed]),
    )
    for version, model, dataset, value in db.execute(wanted.order_by(Score.id)):
        found[version].setdefault(model, {})[dataset] = value
    return found


def _order(version: str) -> tuple[int, str]:
    return (int(version), "") if version.isdecimal() else (0, version)


def _two(metric: str, versions: Sequence[str], before: str | None, after: str | None) -> tuple[str, str]:
    if unknown := [each for each in (before, after) if each is not None and each not in versions]:
        raise NotFound(
            f"There is no result of {metric} in version {unknown[0][:16]!r}; there are {', '.join(versions)}."
        )
    newer = after or versions[-1] if versions else ""
    older = before or next((each for each in reversed(versions) if each != newer), "")
    if not older or older == newer:
        raise Invalid(f"{metric} has results in one version only; there is nothing to compare.")
    return older, newer


def _shared(
    listed: Sequence[Entry], values: Values, two: tuple[str, str], scored: Sequence[str]
) -> dict[str, list[str]]:
    """The models that have both versions on the datasets that the most have them on; those without are left out."""
    both = {
        entry.digest: [
            digest for digest in scored if all(digest in values[version].get(entry.digest, {}) for version in two)
        ]
        for entry in listed
    }
    most = max((len(found) for found in both.values()), default=0)
    return {model: found for model, found in both.items() if found and len(found) == most}


def _rows(listed: Sequence[Entry], means: Sequence[Mapping[str, float]], *, higher_is_better: bool) -> list[MovedModel]:
    ranks = []
    for values in means:
        best = sorted(values.values(), reverse=higher_is_better)
        ranks.append({model: 1 + best.index(value) for model, value in values.items()})
    rows = [
        MovedModel(
            model_id=entry.model_id,
            submission_id=entry.submission_id,
            model=entry.name,
            rank_before=ranks[0][entry.digest],
            rank_after=ranks[1][entry.digest],
            before=means[0][entry.digest],
            after=means[1][entry.digest],
            change=means[1][entry.digest] - means[0][entry.digest],
        )
        for entry in listed
        if entry.digest in means[0]
    ]
    return sorted(rows, key=lambda row: (row.rank_after, row.rank_before, row.model_id))


def _sentence(rows: Sequence[MovedModel], unit: str) -> str:
    moved = sum(row.rank_before != row.rank_after for row in rows)
    greatest = max(abs(row.change) for row in rows)
    points = "points" if unit == "%" else unit
    return f"{moved} of {len(rows)} models change places; the greatest change is {greatest:.2f} {points}"

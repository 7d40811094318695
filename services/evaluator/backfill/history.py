"""What models took before, out of the database, for predicting what they will take."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.backfill.cost import Ending, Overheads, Past, overheads_of, predicting_seconds
from dynaboard.backfill.missing import Inference, Subject
from dynaboard.tables import BackfillRun, Dataset, Evaluation, Measurement, Submission


@dataclass(frozen=True)
class History:
    """By model digest: its evaluations, and what a run of it costs besides predicting; `usual` for one without."""

    pasts: Mapping[str, Sequence[Past]]
    overheads: Mapping[str, Overheads]
    usual: Overheads

    def seconds(self, work: Sequence[Inference]) -> float:
        """A run of one model that does all of this."""
        if not work:
            return 0.0
        digest = work[0].subject.model_digest
        overheads = self.overheads.get(digest, self.usual)
        pasts = self.pasts.get(digest) or [past for each in self.pasts.values() for past in each]
        predicting = sum(
            predicting_seconds(pasts, each.text.examples, each.text.bytes_each)
            for each in work
            if each.kind != "measurement"
        )
        measured = sum(not each.text.suite for each in work)
        return overheads.start_s + predicting + overheads.measurement_s * measured


def history_of(db: Session, subjects: Collection[Subject]) -> History:
    """Of these models, from their first evaluations and their runs of back-fill."""
    digests = {subject.submission_id: subject.model_digest for subject in subjects}
    pasts: dict[str, list[Past]] = defaultdict(list)
    evaluations: dict[str, list[tuple[Evaluation, Dataset]]] = defaultdict(list)
    done = select(Evaluation, Dataset).join(Dataset, Dataset.id == Evaluation.dataset_id)
    for evaluation, dataset in db.execute(
        done.where(Evaluation.submission_id.in_(digests), Evaluation.finished_at.is_not(None))
    ):
        each = dataset.size / max(1, dataset.examples)
        pasts[digests[evaluation.submission_id]].append(Past(evaluation.done, each, evaluation.seconds))
        evaluations[evaluation.submission_id].append((evaluation, dataset))
    starts = _cold_starts(db, set(digests.values()))
    endings: dict[str, list[Ending]] = defaultdict(list)
    for digest, ending in [
        *_first_runs(db, digests, evaluations, starts),
        *_later_runs(db, digests, evaluations, starts),
    ]:
        endings[digest].append(ending)
    own = {digest: overheads_of(each) for digest, each in endings.items()}
    return History(pasts, own, overheads_of([ending for each in endings.values() for ending in each]))


def _cold_starts(db: Session, digests: Collection[str]) -> dict[str, float]:
    found = select(Measurement.model_digest, Measurement.value).where(
        Measurement.metric == "cold_start", Measurement.model_digest.in_(digests)
    )
    return {row.model_digest: row.value for row in db.execute(found.order_by(Measurement.id))}


Evaluations = Mapping[str, Sequence[tuple[Evaluation, Dataset]]]


def _first_runs(
    db: Session, digests: Mapping[str, str], evaluations: Evaluations, starts: Mapping[str, float]
) -> list[tuple[str, Ending]]:
    """From the start of a submission to the end of its last evaluation then; the scoring is not the evaluator's."""
    found = []
    for submission in db.scalars(select(Submission).where(Submission.id.in_(digests))):
        until = submission.finished_at
        first = [
            row
            for row in evaluations.get(submission.id, ())
            if until and row[0].finished_at and row[0].finished_at <= until
        ]
        if submission.started_at is None or not first:
            continue
        last = max(evaluation.finished_at for evaluation, _ in first if evaluation.finished_at)
        if last > submission.started_at and all(row[0].created_at >= submission.started_at for row in first):
            digest = digests[submission.id]
            total = (last - submission.started_at).total_seconds()
            found.append((digest, _ending(total, [row[0] for row in first], starts.get(digest))))
    return found


def _later_runs(
    db: Session, digests: Mapping[str, str], evaluations: Evaluations, starts: Mapping[str, float]
) -> list[tuple[str, Ending]]:
    found = []
    done = select(BackfillRun).where(BackfillRun.submission_id.in_(digests), BackfillRun.state == "done")
    for run in db.scalars(done):
        wanted = {(at[0], at[1]) for at in run.wanted if at[3] != "measurement"}
        measured_only = sum(at[3] == "measurement" for at in run.wanted)
        rows = [
            row[0]
            for row in evaluations.get(run.submission_id, ())
            if (row[0].dataset_id, row[0].perturbation) in wanted
        ]
        digest = digests[run.submission_id]
        found.append((digest, _ending(run.seconds, rows, starts.get(digest), measured_only)))
    return found


def _ending(total: float, rows: Sequence[Evaluation], start: float | None, more: int = 0) -> Ending:
    return Ending(
        total_s=total,
        predicting_s=sum(row.seconds for row in rows),
        measured=sum(not row.perturbation for row in rows) + more,
        start_s=start,
    )

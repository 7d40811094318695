"""A task's back-fill as its owner sees it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.backfill.cost import sentence
from dynaboard.backfill_schemas import BackfillItem, BackfillText, BackfillView, Mode, RunState
from dynaboard.tables import BackfillRun, Dataset, Model, Submission
from dynaboard.task import Task
from services.evaluator.backfill.planned import Plan, Run, open_runs, plan_of
from services.evaluator.settings import EvaluatorSettings

Named = Mapping[str, tuple[Submission, Model]]


@dataclass(frozen=True)
class Shown:
    """Runs with the names of what they are about."""

    named: Named
    datasets: Mapping[str, Dataset]

    def item(self, run: Run, state: RunState) -> BackfillItem:
        """A planned run."""
        texts = [self.text(each.text.dataset_id, each.text.suite, each.kind, each.text.examples) for each in run.work]
        return self._item(run.submission_id, state, texts, examples=run.examples, seconds=run.seconds)

    def failed(self, run: BackfillRun) -> BackfillItem:
        """One that a model has failed in."""
        texts = [
            self.text(at[0], at[1], "data", self.datasets[at[0]].examples)
            for at in run.failed_on
            if at[0] in self.datasets
        ]
        seen = {"reason": run.reason, "since": run.finished_at}
        return self._item(run.submission_id, "failed", texts, examples=0, seconds=0.0, **seen)

    def text(self, dataset_id: str, suite: str, why: str, examples: int) -> BackfillText:
        """What a model is run on, by name."""
        of = self.datasets[dataset_id]
        return BackfillText.model_validate(
            {"dataset": of.name, "version": of.version, "suite": suite, "why": why, "examples": examples}
        )

    def _item(self, submission_id: str, state: RunState, texts: list[BackfillText], **values: object) -> BackfillItem:
        submission, model = self.named[submission_id]
        return BackfillItem.model_validate(
            {
                "submission_id": submission_id,
                "model": model.name,
                "version": submission.version,
                "owner": None if model.anonymous else model.owner,
                "state": state,
                "texts": texts,
                **values,
            }
        )


def backfill_view(db: Session, settings: EvaluatorSettings, task: Task) -> BackfillView:
    """What is missing, queued, under way and failed; predicted in examples and minutes."""
    plan = plan_of(db, settings, task)
    opened = {run.submission_id: run for run in open_runs(db, task.name)}
    failed = failed_runs(db, task.name, plan)
    ids = {run.submission_id for run in plan.runs} | {run.submission_id for run in failed}
    shown = Shown(_named(db, ids), {dataset.id: dataset for dataset in plan.datasets})
    items = [_planned(shown, run, opened.get(run.submission_id)) for run in plan.runs]
    ready, waiting = plan.ready, [run for run in plan.runs if run.waits]
    evaluators = settings.evaluators
    return BackfillView(
        task=task.name,
        mode=cast("Mode", plan.switch.mode),
        sentence=said(ready, evaluators),
        waiting=said(waiting, evaluators),
        evaluators=evaluators,
        examples=sum(run.examples for run in ready),
        minutes=sum(run.seconds for run in ready) / evaluators / 60,
        held=[shown.datasets[held].name for held in plan.switch.held if held in shown.datasets],
        items=[*items, *map(shown.failed, failed)],
    )


def sentence_of(db: Session, settings: EvaluatorSettings, task: Task, dataset_id: str) -> str | None:
    """What running the models there are on one dataset, and on its copies, takes, held or not; None without any."""
    plan = plan_of(db, settings, task)
    runs = []
    for run in plan.runs:
        if work := tuple(each for each in run.work if each.text.dataset_id == dataset_id):
            runs.append(Run(work, plan.history.seconds(work), run.waits))
    return said(runs, settings.evaluators) if runs else None


def said(runs: Sequence[Run], evaluators: int) -> str:
    """`47 models × 1 dataset, about 3 h on 2 evaluators`."""
    datasets = {each.text.dataset_id for run in runs for each in run.work}
    return sentence(len(runs), len(datasets), sum(run.seconds for run in runs), evaluators)


def _planned(shown: Shown, run: Run, opened: BackfillRun | None) -> BackfillItem:
    if opened is None or run.waits:
        return shown.item(run, "waits" if run.waits else "planned")
    state: RunState = "running" if opened.state == "running" else "queued"
    return shown.item(run, state).model_copy(update={"step": opened.step, "since": opened.created_at})


def failed_runs(db: Session, task: str, plan: Plan) -> list[BackfillRun]:
    """Those that are not tried again until `start`."""
    wanted = select(BackfillRun).where(BackfillRun.task == task, BackfillRun.state == "failed").order_by(BackfillRun.id)
    since = plan.switch.retry_from
    return list(db.scalars(wanted if since is None else wanted.where(BackfillRun.finished_at > since)))


def _named(db: Session, ids: Collection[str]) -> Named:
    found = select(Submission, Model).join(Model, Model.id == Submission.model_id).where(Submission.id.in_(ids))
    return {submission.id: (submission, model) for submission, model in db.execute(found)}

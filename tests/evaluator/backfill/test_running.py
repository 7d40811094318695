"""Old models on new data: exactly the missing inferences, beside a submission's status."""

from collections.abc import Callable

from sqlalchemy import func, select

from dynaboard.backfill_schemas import BackfillView
from dynaboard.identity import Caller, Role
from dynaboard.jobs import PLAN_BACKFILL, defer
from dynaboard.nlp_tasks import TASKS
from dynaboard.status import Status
from dynaboard.tables import BackfillRun, Evaluation, Measurement
from services.evaluator.access import seen
from services.evaluator.backfill.dispatch import advance
from services.evaluator.backfill.running import report
from services.evaluator.backfill.switch import hold, pause, resume, start
from services.evaluator.backfill.view import backfill_view
from services.evaluator.bench import Bench
from services.evaluator.views import progress_view
from tests.evaluator.backfill.landed import landed
from tests.evaluator.world import BROKEN, GOOD, World, statements

ROOT = Caller("root", Role.ADMIN)
# Answers until it meets a certain word.
PICKY = GOOD.replace(
    "        def predict(self, examples):",
    '        def predict(self, examples):\n            assert "thorn" not in examples[0]["statement"]',
)


def view(bench: Bench) -> BackfillView:
    with bench.database.begin() as db:
        return backfill_view(db, bench.settings, TASKS["sentiment"])


def runs(bench: Bench) -> list[BackfillRun]:
    with bench.database.begin() as db:
        return list(db.scalars(select(BackfillRun).order_by(BackfillRun.id)))


def plan_again(bench: Bench) -> None:
    with bench.database.begin() as db:
        defer(db, PLAN_BACKFILL)


def test_a_new_dataset_is_run_by_every_published_model_once_and_nothing_else_is(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("old", statements(6))
    first, second = landed(bench, world, [GOOD, GOOD + "    # another"])
    own = world.submit(GOOD + "    # of nobody else's concern")
    before = {each: world.evaluations(each)["old"] for each in (first, second)}
    world.add_dataset("new", statements(7))
    assert view(bench).sentence.startswith("2 models × 1 dataset, about ")

    plan_again(bench)
    work()

    for each in (first, second):
        after = world.evaluations(each)
        assert (after["new"].status, after["new"].done) == ("finished", 7)
        assert after["old"].updated_at == before[each].updated_at
        submission = world.submission(each)
        assert (submission.status, submission.step, submission.reason) == (Status.FINISHED, None, None)
    assert world.submission(own).status == Status.PREDICTED
    assert [run.state for run in runs(bench)] == ["done", "done"]
    assert view(bench).sentence == "Nothing is missing."
    with bench.database.begin() as db:
        assert db.scalar(select(func.count(Evaluation.id))) == 6


def test_what_is_planned_is_told_with_its_cost_before_it_starts(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("old", statements(6))
    landed(bench, world, [GOOD])
    world.add_dataset("new", statements(30))
    shown = view(bench)
    assert (shown.mode, shown.examples, shown.evaluators) == ("auto", 30, 1)
    assert 0 < shown.minutes < 2
    (item,) = shown.items
    assert (item.state, item.model, [text.dataset for text in item.texts]) == ("planned", "model-0", ["new"])


def test_a_model_that_fails_on_new_data_keeps_its_place_and_is_not_tried_again_until_somebody_says_so(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("old", statements(6))
    (model,) = landed(bench, world, [PICKY])
    world.add_dataset("a-rose", statements(6, "thorn"))
    world.add_dataset("b-plain", statements(6))

    plan_again(bench)
    work()

    assert world.submission(model).status == Status.FINISHED
    assert world.evaluations(model)["old"].status == "finished"
    assert world.evaluations(model)["b-plain"].status == "finished"
    failed, done = runs(bench)
    assert (failed.state, done.state) == ("failed", "done")
    assert "On a-rose" in (failed.reason or "")
    assert [item.state for item in view(bench).items] == ["failed"]
    with bench.database.begin() as db:
        start(db, "sentiment", "root")
    assert [(item.state, len(item.texts)) for item in view(bench).items] == [("planned", 1)]


def test_a_model_that_no_longer_starts_fails_alone(bench: Bench, world: World, work: Callable[[], None]) -> None:
    world.add_dataset("old", statements(6))
    (broken,) = landed(bench, world, [BROKEN])
    world.add_dataset("new", statements(6))
    plan_again(bench)
    work()
    (run,) = runs(bench)
    assert (run.state, len(run.failed_on)) == ("failed", 1)
    assert (run.reason or "").startswith("In the trial before the evaluation: ")
    assert world.submission(broken).status == Status.FINISHED


def test_a_pause_withdraws_what_is_queued_and_stops_what_runs(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("old", statements(6))
    (model,) = landed(bench, world, [GOOD])
    world.add_dataset("new", statements(6))
    advance(bench)
    with bench.database.begin() as db:
        db.scalars(select(BackfillRun)).one().state = "running"
    with bench.database.begin() as db:
        assert report(db, model, "Predicting")
        pause(db, "sentiment", "root")
        assert not report(db, model, "Predicting")
    work()
    assert "new" not in world.evaluations(model)
    assert [item.state for item in view(bench).items] == ["waits"]
    with bench.database.begin() as db:
        resume(db, "sentiment", "root")
    plan_again(bench)
    work()
    assert world.evaluations(model)["new"].status == "finished"


def test_a_held_dataset_waits_for_its_owner(bench: Bench, world: World, work: Callable[[], None]) -> None:
    world.add_dataset("old", statements(6))
    (model,) = landed(bench, world, [GOOD])
    new = world.add_dataset("new", statements(6))
    with bench.database.begin() as db:
        hold(db, "sentiment", new.id, "root")
    plan_again(bench)
    work()
    assert "new" not in world.evaluations(model)
    assert view(bench).held == ["new"]
    with bench.database.begin() as db:
        start(db, "sentiment", "root")
    plan_again(bench)
    work()
    assert world.evaluations(model)["new"].status == "finished"


def test_costs_under_another_protocol_are_missing_but_measured_only_when_somebody_says_so(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("old", statements(6))
    (model,) = landed(bench, world, [GOOD])
    with bench.database.begin() as db:
        for cell in db.scalars(select(Measurement)):
            cell.protocol_version = "older"
    before = world.evaluations(model)["old"]
    plan_again(bench)
    work()
    assert runs(bench) == []
    assert view(bench).sentence == "Nothing is missing."
    assert view(bench).waiting.startswith("1 model × 1 dataset")
    with bench.database.begin() as db:
        start(db, "sentiment", "root")
    plan_again(bench)
    work()
    with bench.database.begin() as db:
        versions = set(db.scalars(select(Measurement.protocol_version)))
    assert len(versions) == 2, "the old cells stand beside the new ones"
    after = world.evaluations(model)["old"]
    assert (after.predictions_digest, after.finished_at) == (before.predictions_digest, before.finished_at)


def test_a_new_submission_goes_first_and_back_fill_makes_way(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("old", statements(6))
    (model,) = landed(bench, world, [GOOD])
    world.add_dataset("new", statements(6))
    advance(bench)
    with bench.database.begin() as db:
        db.scalars(select(BackfillRun)).one().state = "running"
    late = world.submit(GOOD + "    # late")
    with bench.database.begin() as db:
        assert not report(db, model, "Predicting")
    work()
    new, old = world.evaluations(late)["new"], world.evaluations(model)["new"]
    assert new.finished_at
    assert old.finished_at
    assert new.finished_at < old.finished_at


def test_owners_have_their_turns(bench: Bench, world: World, work: Callable[[], None]) -> None:
    world.add_dataset("old", statements(3))
    ids = [world.submit(GOOD + f"    # {number}", queue=False) for number in range(3)]
    world.owner = "bob"
    ids.append(world.submit(GOOD, queue=False))
    for submission_id in ids:
        world.publish(submission_id)
    advance(bench)
    assert [run.owner for run in runs(bench)] == ["ada", "bob"]


def test_an_old_submission_says_what_it_is_run_on(bench: Bench, world: World, work: Callable[[], None]) -> None:
    world.add_dataset("old", statements(3))
    (model,) = landed(bench, world, [GOOD])
    world.add_dataset("new", statements(6))
    advance(bench)
    with bench.database.begin() as db:
        run = db.scalars(select(BackfillRun)).one()
        run.state, run.step = "running", "Predicting new (1 of 1): 0 of 6 examples"
    with bench.database.begin() as db:
        shown = progress_view(db, *seen(db, model, ROOT), ROOT)
    assert (shown.status, shown.step) == ("finished", "Back-fill: Predicting new (1 of 1): 0 of 6 examples")

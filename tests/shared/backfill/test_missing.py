"""The planner of back-fill: whatever exists and whatever is needed, what it plans is exactly what is missing."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from dynaboard.backfill.missing import (
    CellKey,
    Inference,
    Known,
    Place,
    Stored,
    Subject,
    Text,
    cell_key,
    missing_cells,
    missing_inferences,
    place,
)

SUBJECTS = [Subject(f"s{number}", f"m{number % 3}", f"owner{number % 2}") for number in range(4)]
TEXTS = [Text(f"d{number}", suite, suite and f"c{number}", f"g{number}", 10) for number in range(3)
         for suite in ("", "fairness", "robustness")]  # fmt: skip
PLACES = [place(subject, text) for subject, text in product(SUBJECTS, TEXTS)]
COSTS = [(f"m{model}", f"g{dataset}") for model, dataset in product(range(3), range(3))]
KNOWN = st.builds(
    Known,
    st.frozensets(st.sampled_from(PLACES)),
    st.frozensets(st.sampled_from(PLACES), max_size=5),
    st.frozensets(st.sampled_from(COSTS)),
)
SOME_SUBJECTS, SOME_TEXTS = (
    st.lists(st.sampled_from(SUBJECTS), unique=True),
    st.lists(st.sampled_from(TEXTS), unique=True),
)
STORED = [Stored(f"e{number}", f"m{number % 3}", f"g{number % 2}", suite, suite and "c", 10)
          for number in range(6) for suite in ("", "fairness")]  # fmt: skip
METRICS = {("g0", ""): [("accuracy", "1"), ("f1", "2")], ("g1", ""): [("accuracy", "1")],
           ("g0", "fairness"): [("fairness", "1")]}  # fmt: skip
KEYS = sorted(
    {cell_key(each, metric) for each in STORED for metric in METRICS.get((each.dataset_digest, each.suite), [])}
)


def done(known: Known, work: Inference) -> Known:
    """The world after this piece of work."""
    at: frozenset[Place] = frozenset({place(work.subject, work.text)})
    cost = frozenset({(work.subject.model_digest, work.text.dataset_digest)} if not work.text.suite else set())
    return Known(known.predictions | at, known.failed, known.costs | cost)


@given(SOME_SUBJECTS, SOME_TEXTS, KNOWN)
def test_nothing_is_planned_that_exists_or_has_failed(subjects: list[Subject], texts: list[Text], known: Known) -> None:
    for work in missing_inferences(subjects, texts, known):
        at = place(work.subject, work.text)
        assert at not in known.failed
        cost = (work.subject.model_digest, work.text.dataset_digest)
        assert at not in known.predictions or (not work.text.suite and cost not in known.costs)


@given(SOME_SUBJECTS, SOME_TEXTS, KNOWN)
def test_everything_that_is_missing_is_planned_once(subjects: list[Subject], texts: list[Text], known: Known) -> None:
    planned = [place(work.subject, work.text) for work in missing_inferences(subjects, texts, known)]
    missing = {place(subject, text) for subject, text in product(subjects, texts)} - known.predictions - known.failed
    assert missing <= set(planned)
    assert len(planned) == len(set(planned))


@given(SOME_SUBJECTS, SOME_TEXTS, KNOWN, st.randoms(use_true_random=False))
def test_whatever_the_order_of_the_work_the_end_is_the_same(
    subjects: list[Subject], texts: list[Text], known: Known, order: object
) -> None:
    ends = []
    for shuffle in (False, True):
        now = known
        while plan := missing_inferences(subjects, texts, now):
            if shuffle:
                order.shuffle(plan)  # type: ignore[attr-defined]
            now = done(now, plan[0])
        ends.append(now)
    assert ends[0] == ends[1]


@given(st.lists(st.sampled_from(SUBJECTS), unique=True), st.lists(st.sampled_from(TEXTS), unique=True), KNOWN)
def test_models_and_datasets_may_arrive_in_any_order(subjects: list[Subject], texts: list[Text], known: Known) -> None:
    forward = missing_inferences(subjects, texts, known)
    assert forward == missing_inferences(reversed(subjects), list(reversed(texts)), known)
    one_by_one = [
        work for subject in subjects for text in texts for work in missing_inferences([subject], [text], known)
    ]
    assert sorted(one_by_one) == forward


@given(st.sets(st.sampled_from(KEYS)), st.permutations(STORED))
def test_metric_cells_are_planned_exactly_where_they_are_missing(cells: set[CellKey], stored: list[Stored]) -> None:
    planned = missing_cells(stored, METRICS, cells)
    keys = [cell_key(each, metric) for each, metrics in planned.items() for metric in metrics]
    assert len(keys) == len(set(keys))
    assert set(keys) == set(KEYS) - cells
    assert planned == missing_cells(sorted(stored), METRICS, cells)


def test_work_is_told_apart_by_why_it_is_missing() -> None:
    subject, text = Subject("s", "m", "ada"), Text("d", "", "", "g", 10)
    old, new = Text("d", "fairness", "old", "g", 70), Text("d", "fairness", "new", "g", 70)
    seen = Known(frozenset({place(subject, text), place(subject, old)}), costs=frozenset({("m", "g")}))
    assert [work.kind for work in missing_inferences([subject], [text, new], Known())] == ["data", "data"]
    assert [work.kind for work in missing_inferences([subject], [text, new], seen)] == ["perturbation"]
    moved = Known(seen.predictions, old_costs=frozenset({("m", "g")}))
    assert [work.kind for work in missing_inferences([subject], [text], moved)] == ["measurement"]
    interrupted = Known(seen.predictions)
    assert [work.kind for work in missing_inferences([subject], [text], interrupted)] == ["data"]


def test_a_new_version_of_a_metric_is_a_new_cell() -> None:
    stored = Stored("e", "m", "g0", "", "", 10)
    cells = {cell_key(stored, ("accuracy", "1"))}
    assert missing_cells([stored], {("g0", ""): [("accuracy", "2")]}, cells) == {stored: [("accuracy", "2")]}

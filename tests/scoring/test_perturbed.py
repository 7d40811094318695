"""From predictions on a perturbed copy to cells, the leaderboard and their warnings."""

import gzip
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from dynaboard.database import Database
from dynaboard.edits import Edit
from dynaboard.errors import PlatformFailure
from dynaboard.identity import Role
from dynaboard.perturbed_copy import StoredVariant, copy_key
from dynaboard.tables import Board, Dataset, PerturbedCopy, Score, Submission
from tests.scoring.world import Answer, World, labelled

RunScore = Callable[[str], None]
AsCaller = Callable[..., dict[str, str]]
HATE = ["hateful", "not-hateful", "hateful", "not-hateful"]


def variant(number: int, place: int, kind: str, group: str = "", **edits: tuple[Edit, ...]) -> StoredVariant:
    return StoredVariant(f"e{number}~{place}", f"e{number}", kind, group, edits or {"text": (Edit(0, 0, "x"),)})


def copied(world: World, dataset: Dataset, suite: str, variants: Sequence[StoredVariant], **columns: Any) -> str:
    """A stored copy; its digest."""
    lines = b"".join(each.line() for each in variants)
    digest = hashlib.sha256(dataset.digest.encode() + lines).hexdigest()
    world.storage.put(copy_key(digest), gzip.compress(lines))
    values = {"recipe": "r" * 64, "variants": len(variants), "manifest": {}} | columns
    world.add(PerturbedCopy(dataset_digest=dataset.digest, suite=suite, digest=digest, **values))
    return digest


def predicted(
    world: World,
    of: tuple[Submission, Dataset],
    suite: str,
    variants: Sequence[StoredVariant],
    answers: Sequence[Answer],
) -> str:
    """A copy and the predictions on it; the copy's digest."""
    digest = copied(world, of[1], suite, variants)
    named = [{"id": each.id, **answer} for each, answer in zip(variants, answers, strict=True)]
    world.evaluation(*of, named, perturbation=suite, perturbation_digest=digest)
    return digest


def cells(database: Database, **where: Any) -> dict[tuple[str, str], Score]:
    with database.begin() as db:
        return {(cell.metric, cell.tag): cell for cell in db.scalars(select(Score).filter_by(**where))}


VARIANTS = [variant(0, 0, "Keyboard"), variant(0, 1, "Ocr"), variant(2, 0, "Keyboard"), variant(3, 0, "Ocr")]


def hate_speech(world: World) -> tuple[Submission, Dataset]:
    dataset = world.dataset("lftw", labelled(HATE, text="words"), task="hate-speech")
    submission = world.submission("tiny", task="hate-speech")
    world.evaluation(submission, dataset, labelled(["hateful", "not-hateful", "not-hateful", "not-hateful"]))
    return submission, dataset


def test_robustness_is_the_share_of_variants_with_an_unchanged_prediction_right_or_wrong(
    world: World, database: Database, run_score: RunScore
) -> None:
    submission, dataset = hate_speech(world)
    answers = labelled(["hateful", "not-hateful", "not-hateful", "not-hateful"])
    digest = predicted(world, (submission, dataset), "robustness", VARIANTS, answers)
    run_score(submission.id)
    found = cells(database, perturbation_digest=digest)
    whole = found["robustness", ""]
    assert (whole.value, whole.n, whole.unit, whole.dataset_digest) == (75, 4, "%", dataset.digest)
    assert whole.low is not None
    assert whole.high is not None
    assert whole.low <= 75 <= whole.high
    assert whole.provenance["coverage"] == {"examples": 4, "with_variants": 3, "variants": 4}
    assert found["robustness", "kind:Keyboard"].value == 100
    assert found["robustness", "kind:Ocr"].value == 50
    assert (found["robustness_accuracy_change", ""].value, found["robustness_coverage", ""].value) == (-25, 75)


def test_fairness_has_its_groups(world: World, database: Database, run_score: RunScore) -> None:
    submission, dataset = hate_speech(world)
    variants = [variant(0, 0, "name_race", "black-white"), variant(1, 0, "name_race", "asian-white")]
    predicted(world, (submission, dataset), "fairness", variants, labelled(["not-hateful", "not-hateful"]))
    run_score(submission.id)
    found = cells(database, metric="fairness")
    assert {tag: cell.value for (_, tag), cell in found.items()} == {
        "": 50, "kind:name_race": 50, "group:black-white": 0, "group:asian-white": 100,
    }  # fmt: skip


CONTEXT = "James Brown sang in Macon. James Brown died in Atlanta."
SWAP = (Edit(0, 5, "Jamal"), Edit(27, 32, "Jamal"))


@pytest.mark.parametrize(
    ("answer", "same"),
    [("Jamal Brown", True), ("jamal  BROWN", True), ("Jamal", False), ("Atlanta", False), ("James Brown", True)],
)
def test_an_answer_is_compared_modulo_the_edit_map(
    world: World, database: Database, run_score: RunScore, answer: str, same: bool
) -> None:
    example = {"context": CONTEXT, "question": "Who sang?", "answers": ["James Brown"]}
    dataset, submission = world.dataset("squad", [example], task="qa"), world.submission("tiny", task="qa")
    world.evaluation(submission, dataset, [{"answer": "James Brown"}])
    swapped = [variant(0, 0, "name_race", context=SWAP)]
    predicted(world, (submission, dataset), "fairness", swapped, [{"answer": answer}])
    run_score(submission.id)
    found = cells(database)
    assert found["fairness", ""].value == 100 * same
    assert found["fairness_accuracy_change", ""].value == 100 * same - 100


def test_a_prediction_on_a_variant_that_is_missing_is_the_platforms_failure(world: World, run_score: RunScore) -> None:
    submission, dataset = hate_speech(world)
    digest = copied(world, dataset, "robustness", VARIANTS)
    named = [{"id": each.id, "label": "hateful"} for each in VARIANTS[:3]]
    world.evaluation(submission, dataset, named, perturbation="robustness", perturbation_digest=digest)
    with pytest.raises(PlatformFailure, match=r"lack the variant 'e3~0'"):
        run_score(submission.id)


def test_both_stand_on_the_leaderboard_and_count_and_the_warnings_go_with_them(
    world: World, client: httpx.Client, run_score: RunScore, as_caller: Callable[..., dict[str, str]]
) -> None:
    submission, dataset = hate_speech(world)
    predicted(world, (submission, dataset), "robustness", VARIANTS, labelled(["hateful"] * 2 + ["not-hateful"] * 2))
    predicted(world, (submission, dataset), "fairness", VARIANTS[:1], labelled(["hateful"]))
    world.cost(submission, dataset, 10, 1)
    run_score(submission.id)

    board = client.get("/leaderboards/hate-speech", headers=as_caller("ada", Role.SUBMITTER)).json()
    (row,) = board["rows"]
    assert {name: cell["value"] for name, cell in row["metrics"].items()} == {
        "performance": 75, "throughput": 10, "memory": 1, "fairness": 100, "robustness": 100,
    }  # fmt: skip
    assert row["rank"] == 1
    assert any("Abuse of men" in warning for warning in board["warnings"])

    scores = client.get(f"/submissions/{submission.id}/scores", headers=as_caller("ada", Role.SUBMITTER)).json()
    by_kind = {cell["tag"]: cell for cell in scores if cell["metric"] == "robustness"}
    assert set(by_kind) == {"", "kind:Keyboard", "kind:Ocr"}
    fairness = next(cell for cell in scores if cell["metric"] == "fairness" and not cell["tag"])
    assert "Hate speech: fairness here may overstate" in " ".join(fairness["provenance"]["warnings"])
    assert "warnings" not in next(cell for cell in scores if cell["metric"] == "accuracy")["provenance"]


def test_results_on_the_copies_of_an_older_recipe_do_not_count(
    world: World, client: httpx.Client, run_score: RunScore, as_caller: Callable[..., dict[str, str]]
) -> None:
    submission, dataset = hate_speech(world)
    predicted(world, (submission, dataset), "robustness", VARIANTS, labelled(["hateful"] * 4))
    run_score(submission.id)
    copied(world, dataset, "robustness", VARIANTS[:2], recipe="s" * 64)
    (row,) = client.get("/leaderboards/hate-speech", headers=as_caller("ada", Role.SUBMITTER)).json()["rows"]
    assert row["metrics"]["robustness"] is None


def test_a_dataset_in_which_nobody_occurs_takes_no_part_in_fairness(
    world: World, client: httpx.Client, run_score: RunScore, as_caller: Callable[..., dict[str, str]]
) -> None:
    submission, dataset = hate_speech(world)
    predicted(world, (submission, dataset), "fairness", VARIANTS[:2], labelled(["hateful", "not-hateful"]))
    nobody = world.dataset("weather", labelled(["not-hateful"], text="It rains."), task="hate-speech")
    world.evaluation(submission, nobody, labelled(["not-hateful"]))
    copied(world, nobody, "fairness", [])
    for each in (dataset, nobody):
        world.cost(submission, each, 10, 1)
    run_score(submission.id)
    (row,) = client.get("/leaderboards/hate-speech", headers=as_caller("ada", Role.SUBMITTER)).json()["rows"]
    assert (row["metrics"]["performance"]["value"], row["metrics"]["fairness"]["value"]) == (87.5, 50)
    assert row["missing"] == []


def sliced_hate_speech(world: World) -> tuple[Submission, Dataset]:
    """As `hate_speech`, with the first and the third example tagged "short"."""
    examples = [
        {"label": label, "text": "words", "tags": [] if number % 2 else ["short", "kind:Ocr"]}
        for number, label in enumerate(HATE)
    ]
    dataset = world.dataset("lftw", examples, task="hate-speech", tags={"short": 2, "kind:Ocr": 2})
    submission = world.submission("tiny", task="hate-speech")
    world.evaluation(submission, dataset, labelled(["hateful", "not-hateful", "not-hateful", "not-hateful"]))
    return submission, dataset


def test_a_slice_has_the_suites_of_its_own_examples_resampled_with_its_performance(
    world: World, database: Database, run_score: RunScore
) -> None:
    submission, dataset = sliced_hate_speech(world)
    answers = labelled(["hateful", "not-hateful", "not-hateful", "not-hateful"])
    digest = predicted(world, (submission, dataset), "robustness", VARIANTS, answers)
    run_score(submission.id)
    found = cells(database, perturbation_digest=digest)["robustness", "short"]
    assert (found.value, found.n) == (pytest.approx(200 / 3), 3), "of the variants of the first and third example"
    with database.begin() as db:
        kept = {name: db.get_one(Score, cell.id).replicates for (name, tag), cell in cells(database).items()
                if tag == "short"}  # fmt: skip
    assert kept.keys() == {"accuracy", "robustness"}
    assert None not in kept.values()
    assert cells(database, perturbation_digest=digest)["robustness", "kind:Ocr"].n == 2, (
        "the transformation, not the tag"
    )


def test_a_board_of_a_slice_counts_what_every_model_has_on_it_and_says_so(
    world: World, database: Database, client: httpx.Client, run_score: RunScore, as_caller: AsCaller
) -> None:
    submission, dataset = sliced_hate_speech(world)
    answers = labelled(["hateful", "not-hateful", "not-hateful", "not-hateful"])
    predicted(world, (submission, dataset), "robustness", VARIANTS, answers)
    world.cost(submission, dataset, 10, 1)
    run_score(submission.id)

    def board() -> tuple[float, list[str]]:
        path = "/leaderboards/hate-speech?tag=short"
        answer = client.get(path, headers=as_caller("ada", Role.SUBMITTER)).json()
        return answer["rows"][0]["metrics"]["robustness"]["value"], answer["explanations"]

    value, said = board()
    assert value == pytest.approx(200 / 3)
    assert said[0].startswith("Slice 'short': performance counts on its examples only")
    assert "on a slice they have no meaning" in said[0]
    assert "Fairness is that of whole datasets: not every model has it on this slice." in said
    assert "Robustness counts on the slice's examples only." in said
    # A model that was scored before slices had suites.
    with database.begin() as db:
        db.query(Score).filter_by(metric="robustness", tag="short").delete()
        db.add(Board(task="hate-speech", submission_id=submission.id, digest="", document={}))
    value, said = board()
    assert value == 75
    assert "Robustness is that of whole datasets: not every model has it on this slice." in said


def test_identity_tags_give_the_bias_aucs(world: World, database: Database, run_score: RunScore) -> None:
    examples = [
        {"label": label, "text": "words", "tags": ["identity:gay"] if number % 2 else []}
        for number, label in enumerate(["hateful", "hateful", "not-hateful", "not-hateful"])
    ]
    dataset, submission = world.dataset("madlibs", examples, task="hate-speech"), world.submission("t", "hate-speech")
    answers = [{"label": "hateful", "prob_hateful": p, "prob_not-hateful": 1 - p} for p in (0.9, 0.8, 0.1, 0.95)]
    world.evaluation(submission, dataset, answers)
    run_score(submission.id)
    found = {name: cell.value for (name, tag), cell in cells(database, tag="identity:gay").items()}
    assert found == {"accuracy": 50, "auc_subgroup": 0, "auc_bpsn": 0, "auc_bnsp": 100}
    assert cells(database)["ami_bias", ""].value == pytest.approx((50 + 100 / 3) / 2)

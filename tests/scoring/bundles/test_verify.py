"""From a scored submission to a bundle, and from the bundle alone to every number again."""

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from dynaboard.bundle.container import Member, members, write
from dynaboard.bundle.document import DOCUMENT, BundleDocument
from dynaboard.bundle.signature import SigningKey, new_signing_key
from dynaboard.edits import Edit
from dynaboard.errors import Invalid
from dynaboard.identity import Role
from dynaboard.perturbed_copy import StoredVariant, copy_key
from dynaboard.storage import dataset_key
from dynaboard.tables import PerturbedCopy, Submission
from services.scoring.app import create_app
from services.scoring.bundles.verification import Verification, verify
from services.scoring.settings import ScoringSettings
from tests.scoring.world import World, labelled

KEY = new_signing_key()
REFERENCES = ["hateful", "not-hateful", "hateful", "not-hateful", "hateful", "not-hateful"]
Fetch = Callable[..., Path]


def stored_copy(world: World, digest: str) -> str:
    variants = [StoredVariant(f"e{n}~0", f"e{n}", "Keyboard", "", {"text": (Edit(0, 0, "x"),)}) for n in range(4)]
    lines = b"".join(each.line() for each in variants)
    copy = hashlib.sha256(lines).hexdigest()
    world.storage.put(copy_key(copy), gzip.compress(lines))
    world.add(
        PerturbedCopy(dataset_digest=digest, suite="robustness", recipe="r" * 64, digest=copy, variants=4, manifest={})
    )
    return copy


@pytest.fixture
def submission(world: World, run_score: Callable[[str], None]) -> Submission:
    """Scored on a set whose labels are open, with a perturbed copy of it, and on one whose labels are not."""
    submission = world.submission("tiny", task="hate-speech", owner="ada")
    answers = ["hateful", "hateful", "hateful", "not-hateful", "not-hateful", "not-hateful"]
    for name, role in (("hatecheck", "standard"), ("lftw", "scoring")):
        dataset = world.dataset(name, labelled(REFERENCES, text="words"), task="hate-speech", role=role)
        world.evaluation(submission, dataset, labelled(answers))
        if role == "standard":
            copy = stored_copy(world, dataset.digest)
            named = [{"id": f"e{n}~0", "label": label} for n, label in enumerate([*answers[:3], "hateful"])]
            world.evaluation(submission, dataset, named, perturbation="robustness", perturbation_digest=copy)
    run_score(submission.id)
    return submission


@pytest.fixture
def fetch(
    platform: dict[str, Any], submission: Submission, as_caller: Callable[..., dict[str, str]], tmp_path: Path
) -> Fetch:
    """The bundle as somebody gets it, in a file."""

    def call(by: str = "ada", role: Role = Role.SUBMITTER) -> Path:
        with TestClient(create_app(ScoringSettings(**platform, signing_key=KEY))) as client:
            answer: httpx.Response = client.get(f"/submissions/{submission.id}/bundle", headers=as_caller(by, role))
        if answer.status_code != 200:
            raise AssertionError(answer.json()["detail"])
        path = tmp_path / f"{by}.tar"
        path.write_bytes(answer.content)
        return path

    return call


def reasons(found: Verification) -> str:
    return " ".join(found.withheld)


def forged(bundle: Path, change: Callable[[BundleDocument], BundleDocument]) -> Path:
    """The bundle with another document, signed by somebody else."""
    held = {name: stream.read() for name, stream in members(bundle)}
    document = change(BundleDocument.model_validate_json(held[DOCUMENT]))
    target = bundle.with_name("forged.tar")
    files = [Member(name, raw) for name, raw in held.items() if name != DOCUMENT]
    write(target, [Member(DOCUMENT, document.model_dump_json().encode()), *files], SigningKey(new_signing_key()))
    return target


def test_the_owner_s_bundle_gives_every_number_whose_labels_are_released(fetch: Fetch) -> None:
    found = verify(fetch())
    assert found.difference is None
    assert found.recomputed >= 8
    assert "labels of lftw (version 1) are not released" in reasons(found)
    assert found.key == SigningKey(KEY).public


def test_a_task_owner_s_bundle_gives_every_number(fetch: Fetch) -> None:
    found = verify(fetch("olga", Role.TASK_OWNER))
    assert (found.difference, found.withheld) == (None, {})


def test_whoever_has_a_closed_dataset_verifies_the_rest_with_it(fetch: Fetch, world: World, tmp_path: Path) -> None:
    bundle = fetch()
    document = BundleDocument.model_validate_json(next(raw.read() for name, raw in members(bundle) if name == DOCUMENT))
    closed = next(dataset for dataset in document.datasets if dataset.member is None)
    path = tmp_path / "lftw.jsonl.gz"
    world.storage.fetch(dataset_key(closed.digest), path)
    found = verify(bundle, [path])
    assert (found.difference, found.withheld) == (None, {})


def test_an_owner_s_bundle_holds_no_label_that_is_not_released(fetch: Fetch, submission: Submission) -> None:
    held = {name: stream.read() for name, stream in members(fetch())}
    document = BundleDocument.model_validate_json(held[DOCUMENT])
    closed = {dataset.digest for dataset in document.datasets if dataset.role == "scoring"}
    assert closed
    assert not any(digest in name for name in held for digest in closed)
    assert all(evaluation.numbered for evaluation in document.evaluations if evaluation.dataset in closed)


def test_twenty_random_byte_flips_are_all_found(fetch: Fetch, tmp_path: Path) -> None:
    raw = fetch().read_bytes()
    draw = Random(20)
    for _ in range(20):
        broken = bytearray(raw)
        broken[draw.randrange(len(raw))] ^= 1 << draw.randrange(8)
        path = tmp_path / "broken.tar"
        path.write_bytes(broken)
        with pytest.raises(Invalid):
            verify(path)


def test_a_number_that_the_predictions_do_not_give_is_named(fetch: Fetch) -> None:
    def better(document: BundleDocument) -> BundleDocument:
        cells = [
            cell.model_copy(update={"value": cell.value + 1}) if cell.metric == "accuracy" and not cell.tag else cell
            for cell in document.cells
        ]
        return document.model_copy(update={"cells": cells})

    found = verify(forged(fetch(), better))
    assert not found.ok
    assert "accuracy" in (found.difference or "")
    assert "the predictions give 66.6" in (found.difference or "")


def test_a_bundle_from_before_intervals_kept_to_their_range_still_holds(fetch: Fetch) -> None:
    def beyond(document: BundleDocument) -> BundleDocument:
        assert any(cell.unit == "%" and cell.high == 100 for cell in document.cells)
        past = [
            cell.model_copy(update={"high": 100.3}) if cell.unit == "%" and cell.high == 100 else cell
            for cell in document.cells
        ]
        return document.model_copy(update={"cells": past})

    assert verify(forged(fetch(), beyond)).ok


def test_a_file_that_the_list_does_not_name_so_is_found_though_somebody_signed_it(fetch: Fetch) -> None:
    def lying(document: BundleDocument) -> BundleDocument:
        return document.model_copy(update={"files": dict.fromkeys(document.files, "0" * 64)})

    with pytest.raises(Invalid, match="is not the file that the bundle's own list names"):
        verify(forged(fetch(), lying))


@pytest.mark.parametrize("name", ["../escaped", "/etc/passwd", "predictions/../../x.parquet"])
def test_a_member_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "hostile.tar"
    write(path, [Member(name, b"x")], SigningKey(KEY))
    with pytest.raises(Invalid, match="which no bundle has"):
        verify(path)


def test_a_stranger_may_not_have_the_predictions_of_a_published_model(fetch: Fetch) -> None:
    with pytest.raises(AssertionError, match="Only its owner and task owners"):
        fetch("mallory")

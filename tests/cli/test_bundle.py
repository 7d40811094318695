"""Bundles of submissions and of frozen boards, as files."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.client.fake_gateway import Gateway
from tests.client.fake_snapshots import BUNDLE, SNAPSHOT

pytestmark = pytest.mark.usefixtures("account")


def test_a_submissions_bundle_is_a_file_under_the_name_that_was_asked_for(
    dynaboard: Run, gateway: Gateway, tmp_path: Path
) -> None:
    gateway.add_submission("finished")
    target = tmp_path / "mine.tar"
    ran = dynaboard("bundle", "tfidf", "-o", str(target))
    assert ran.out == f"{target}: 1.0 MiB. Compute its numbers again with: dynaboard verify {target}\n"
    assert (target.read_bytes(), ran.err) == (BUNDLE, "")


def test_without_a_name_it_has_that_of_the_model_and_its_version(
    dynaboard: Run, gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = dynaboard("bundle", gateway.add_submission("finished", version=2), "--json").document
    assert told == {"bundle": "tfidf-v2.bundle.tar", "size": len(BUNDLE)}
    assert (tmp_path / "tfidf-v2.bundle.tar").read_bytes() == BUNDLE


def test_a_frozen_boards_bundle_needs_no_account(
    dynaboard: Run, gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DYNABOARD_KEY")
    told = dynaboard("snapshots", "bundle", SNAPSHOT, "-o", str(tmp_path), "--json").document
    assert Path(told["bundle"]) == tmp_path / f"board-{SNAPSHOT}.bundle.tar"


def test_a_bundle_that_breaks_off_leaves_what_was_there(dynaboard: Run, gateway: Gateway, tmp_path: Path) -> None:
    gateway.add_submission("finished")
    gateway.breaks_off = True
    target = tmp_path / "mine.tar"
    target.write_text("the one before")
    ran = dynaboard("bundle", "tfidf", "-o", str(target))
    assert (ran.code, "broke" in ran.err) == (3, True)
    assert [file.name for file in tmp_path.glob("*.tar*")] == ["mine.tar"]
    assert target.read_text() == "the one before"


def test_where_there_is_no_result_yet_the_platform_says_so(dynaboard: Run, gateway: Gateway, tmp_path: Path) -> None:
    gateway.add_submission("running")
    ran = dynaboard("bundle", "tfidf", "-o", str(tmp_path / "mine.tar"))
    assert (ran.code, ran.err) == (
        1,
        "There are no results to put into a bundle yet; wait for the evaluation.\n",
    )
    assert not list(tmp_path.glob("*.tar*"))

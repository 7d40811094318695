"""Bundles on the page: for owners and task owners a submission's, for everybody a frozen board's."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dynaboard.schemas import ModelView
from tests.web.conftest import Web, axe
from tests.web.test_snapshots import freeze
from tests.web.users import new_user

BUTTON = "Download the bundle"
# A browser that cannot write to the disk, and one that writes where the test can look.
NO_PICKER = "delete window.showSaveFilePicker"
PICKER = """window.showSaveFilePicker = async ({ suggestedName }) =>
    (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })"""
WRITTEN = """async (name) => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle(name);
    return (await handle.getFile()).size;
}"""


@pytest.fixture
def model(web: Web) -> ModelView:
    """A model of the demo."""
    with web.client() as client:
        return next(model for model in client.models.all() if model.name == "tfidf-sentiment")


def prepared(page: Page, script: str) -> None:
    page.add_init_script(script)
    page.reload()


def test_a_submissions_bundle_is_the_files_bytes(web: Web, model: ModelView, tmp_path: Path) -> None:
    submission = model.versions[0]
    with web.client() as client:
        size = client.submissions.bundle(submission.id, tmp_path).stat().st_size
    with web.page(f"/submissions/{submission.id}", key=web.admin_key) as page:
        prepared(page, NO_PICKER)
        with page.expect_download() as coming:
            page.get_by_role("button", name=BUTTON).click()
        name = f"{model.name}-v{submission.version}.bundle.tar"
        assert (coming.value.suggested_filename, coming.value.path().stat().st_size) == (name, size)


def test_a_task_owner_writes_it_to_the_disk_as_it_comes(web: Web, model: ModelView, tmp_path: Path) -> None:
    submission = model.versions[0]
    with web.client() as client:
        size = client.submissions.bundle(submission.id, tmp_path).stat().st_size
    with web.page(f"/models/{model.id}", key=new_user(web, "task-owner")[1]) as page:
        prepared(page, PICKER)
        button = page.get_by_role("button", name=BUTTON)
        with page.expect_response("**/bundle"):
            button.click()
        expect(button).to_be_enabled()
        assert page.evaluate(WRITTEN, f"{model.name}-v{submission.version}.bundle.tar") == size
        assert axe(page) == []


@pytest.mark.parametrize("role", ["", "submitter"])
def test_nobody_else_is_offered_a_models_bundle(web: Web, model: ModelView, role: str) -> None:
    with web.page(f"/models/{model.id}", key=new_user(web, role)[1] if role else "") as page:
        expect(page.get_by_role("heading", name="Versions")).to_be_visible()
        expect(page.get_by_role("button", name=BUTTON)).to_have_count(0)


@pytest.mark.parametrize(("size", "scheme"), [("wide", "light"), ("narrow", "dark")])
def test_everybody_may_have_a_frozen_boards(web: Web, size: str, scheme: str) -> None:
    frozen = freeze(web)
    with web.page(f"/snapshots/{frozen}", size=size, scheme=scheme) as page:
        prepared(page, NO_PICKER)
        with page.expect_download() as coming:
            page.get_by_role("button", name=BUTTON).click()
        assert coming.value.suggested_filename == f"board-{frozen}.bundle.tar"
        expect(page.get_by_text(f"dynaboard snapshots bundle {frozen} -o board-{frozen}.bundle.tar")).to_be_visible()
        assert axe(page) == []


def test_what_is_in_the_way_is_told(web: Web, model: ModelView) -> None:
    with web.page(f"/submissions/{model.versions[0].id}", key=web.admin_key) as page:
        prepared(page, NO_PICKER)
        refused = '{"error": "Conflict", "detail": "There are no results to put into a bundle yet."}'
        page.route("**/bundle", lambda route: route.fulfill(status=409, content_type="application/json", body=refused))
        page.get_by_role("button", name=BUTTON).click()
        expect(page.get_by_role("alert")).to_have_text("There are no results to put into a bundle yet.")

"""Handing a model in: from the archive to its rank, over broken connections, and when it fails."""

import base64
import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Request, expect

from tests.web import archives
from tests.web.conftest import Web, axe
from tests.web.users import new_user

EVALUATED_MS = 180_000
DROP = """([name, base64]) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], name, { type: "application/zip" }));
    const area = document.querySelector("[role=group][aria-labelledby]");
    for (const kind of ["dragover", "drop"])
        area.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
}"""


def fresh(tmp_path: Path, word: str) -> Path:
    """Where a model may lie whose name nobody has used before."""
    return tmp_path / f"{word}-{uuid4().hex[:6]}"


def drop(page: Page, file: Path) -> None:
    page.get_by_text("Drop your archive here").wait_for()
    page.evaluate(DROP, [file.name, base64.b64encode(file.read_bytes()).decode()])


def choose(page: Page, file: Path) -> None:
    page.get_by_text("Drop your archive here").wait_for()
    page.get_by_label("Archive", exact=True).set_input_files(file)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit", exact=True).click()


def test_a_dropped_archive_is_followed_until_it_stands_on_the_board(web: Web, tmp_path: Path) -> None:
    file = archives.good(fresh(tmp_path, "dropped"))
    with web.client() as client:
        before = {row.name for row in client.leaderboards.get("sentiment").rows}
    with web.page("/account") as page:
        page.get_by_label("API key").fill(new_user(web, "submitter")[1])
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("link", name="Submit", exact=True).click()
        drop(page, file)
        # The archive says what it is.
        expect(page.get_by_label("Task")).to_have_value("sentiment")
        expect(page.get_by_label("Model’s name")).to_have_value(file.stem)
        page.get_by_label("Publish as soon as it is ranked").check()
        submit(page)
        page.wait_for_url("**/submissions/*")
        expect(page.get_by_text("Every result is there.")).to_be_visible(timeout=EVALUATED_MS)
        expect(page.get_by_text(re.compile(rf"Rank \d+ of {len(before) + 1} on sentiment"))).to_be_visible()
        page.get_by_role("link", name="See the board").click()
        expect(page.get_by_role("link", name=file.stem).first).to_be_visible()
    with web.client() as client:
        assert {row.name for row in client.leaderboards.get("sentiment").rows} == before | {file.stem}


def test_a_failure_is_one_sentence_with_the_log_beside_it(web: Web, tmp_path: Path) -> None:
    file = archives.failing(fresh(tmp_path, "failing"))
    _, key = new_user(web, "submitter")
    with web.page("/submit", key=key) as page:
        choose(page, file)
        submit(page)
        page.wait_for_url("**/submissions/*")
        failure = page.get_by_role("status").filter(has_text="Failed.")
        expect(failure).to_contain_text("no weights here", timeout=EVALUATED_MS)
        expect(page.get_by_label("Log", exact=True)).to_contain_text("reading the weights")
        expect(page.get_by_role("list", name="Steps").get_by_text("Predictions")).to_be_visible()
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("button", name="Cancel")).to_be_visible()
        address = page.url
    # Its reason and its log are its owner's business.
    with web.page(address.removeprefix(web.url), key=new_user(web, "submitter")[1]) as page:
        expect(page.get_by_role("alert")).to_contain_text("not yours to see")


def test_predictions_alone_are_scored_and_say_why_they_are_not_ranked(web: Web, tmp_path: Path) -> None:
    file = archives.predictions_only(fresh(tmp_path, "predicted"), "sentiment-reviews")
    with web.page("/submit", key=new_user(web, "submitter")[1]) as page:
        choose(page, file)
        expect(page.get_by_text("predictions without a model", exact=False).first).to_be_visible()
        submit(page)
        page.wait_for_url("**/submissions/*")
        expect(page.get_by_text("Every result is there.")).to_be_visible(timeout=EVALUATED_MS)
        expect(page.get_by_text("It is not ranked:")).to_contain_text("is missing")
        expect(page.get_by_text("predictions only, unverified")).to_be_visible()
        # There is nothing to talk to.
        expect(page.get_by_role("link", name="Talk to it")).to_have_count(0)


def parts_sent(page: Page) -> list[str]:
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method == "PUT":
            sent.append(request.url.rsplit("/", 1)[-1])

    page.on("request", note)
    return sent


def test_after_a_reload_the_same_file_goes_on_where_it_stopped(web: Web, tmp_path: Path) -> None:
    file = archives.large(fresh(tmp_path, "large"), parts=3)
    _, key = new_user(web, "submitter")
    with web.page("/submit", key=key) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        later = re.compile(r"/parts/[23]$")
        page.route(later, lambda route: route.abort())
        choose(page, file)
        with page.expect_response("**/parts/1"):
            submit(page)
        expect(page.get_by_text("The connection was lost. Trying again by itself.")).to_be_visible()
        page.reload()
        page.unroute(later)
        sent = parts_sent(page)
        expect(page.get_by_text(f"{file.name},")).to_be_visible()
        choose(page, file)
        expect(page.get_by_text("33 % of it is there")).to_be_visible()
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url("**/submissions/*", timeout=60_000)
        assert sorted(sent) == ["2", "3"]
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel it").click()
        expect(page.get_by_text("Cancelled by")).to_be_visible()


def test_a_lost_connection_is_told_and_passes_by_itself(web: Web, tmp_path: Path) -> None:
    file = archives.large(fresh(tmp_path, "lost"), parts=2)
    _, key = new_user(web, "submitter")
    with web.page("/submit", key=key) as page:
        page.route("**/parts/*", lambda route: route.abort(), times=3)
        choose(page, file)
        submit(page)
        expect(page.get_by_text("The connection was lost.")).to_be_visible()
        page.wait_for_url("**/submissions/*", timeout=60_000)
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel it").click()
        expect(page.get_by_text("Cancelled by")).to_be_visible()


def test_a_paused_upload_waits_and_can_be_given_up(web: Web, tmp_path: Path) -> None:
    file = archives.large(fresh(tmp_path, "paused"), parts=3)
    _, key = new_user(web, "submitter")
    with web.page("/submit", key=key) as page:
        page.route("**/parts/3", lambda _: None)  # never answered
        choose(page, file)
        submit(page)
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_text(", paused")).to_be_visible()
        # On another page of the platform it is still there.
        page.get_by_role("link", name="Datasets").click()
        page.get_by_role("link", name="Submit", exact=True).click()
        expect(page.get_by_text(", paused")).to_be_visible()
        page.get_by_role("button", name="Give up").click()
        page.get_by_role("dialog").get_by_role("button", name="Give up").click()
        page.get_by_text("Drop your archive here").wait_for()
        page.get_by_role("link", name="Submissions", exact=True).click()
        expect(page.get_by_role("row", name=file.stem)).to_contain_text("cancelled")


def test_what_is_no_archive_is_refused_before_it_is_sent(web: Web, tmp_path: Path) -> None:
    _, key = new_user(web, "submitter")
    file = tmp_path / "model.zip"
    file.write_text("not a zip archive at all")
    with web.page("/submit", key=key) as page:
        choose(page, file)
        expect(page.get_by_role("alert")).to_contain_text("This is no zip archive.")
        expect(page.get_by_role("button", name="Submit", exact=True)).to_have_count(0)


def test_a_name_is_checked_as_it_is_typed(web: Web, tmp_path: Path) -> None:
    _, key = new_user(web, "submitter")
    file = archives.good(fresh(tmp_path, "named"), "majority")
    with web.page("/submit", key=key) as page:
        choose(page, file)
        page.get_by_label("Model’s name").fill("My Model")
        expect(page.get_by_text("Small letters, digits and dashes only.")).to_be_visible()
        expect(page.get_by_role("button", name="Submit", exact=True)).to_be_disabled()


def test_a_reader_is_told_whom_to_ask(web: Web) -> None:
    with web.page("/submit", key=new_user(web, "reader")[1]) as page:
        expect(page.get_by_text("Your key is a reader’s.")).to_be_visible()


def test_submissions_are_sought_by_status_and_nobody_elses_are_shown(web: Web) -> None:
    with web.page("/submissions", key=web.admin_key) as page:
        expect(page.get_by_role("row", name="tfidf-sentiment")).to_be_visible()
        page.get_by_label("Status").select_option("failed")
        expect(page.get_by_role("row", name="tfidf-sentiment")).to_have_count(0)
        assert "status=failed" in page.url
    with web.page("/submissions", key=new_user(web, "submitter")[1]) as page:
        expect(page.get_by_role("heading", name="Nothing handed in yet")).to_be_visible()
        expect(page.get_by_label("Everybody’s")).to_have_count(0)


def test_a_task_owner_sees_everybodys(web: Web) -> None:
    with web.page("/submissions?status=finished", key=new_user(web, "task-owner")[1]) as page:
        expect(page.get_by_text("Choose another task or status.")).to_be_visible()
        page.get_by_label("Everybody’s").check()
        expect(page.get_by_role("row", name="tfidf-sentiment")).to_be_visible()
        page.get_by_label("Status").select_option("failed")
        expect(page.get_by_role("row", name="tfidf-sentiment")).to_have_count(0)


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(web: Web, tmp_path: Path, size: str, scheme: str) -> None:
    file = archives.good(fresh(tmp_path, "seen"), "majority")
    with web.page("/submit", size=size, scheme=scheme, key=web.admin_key) as page:
        choose(page, file)
        page.get_by_label("Model’s name").wait_for()
        assert axe(page) == []
        page.get_by_role("link", name="Submissions", exact=True).click()
        page.get_by_role("link", name="tfidf-sentiment").click()
        page.get_by_text("Every result is there.").wait_for()
        page.get_by_label("Log", exact=True).wait_for()
        assert axe(page) == []
        page.go_back()
        page.get_by_role("row", name="tfidf-sentiment").wait_for()
        assert axe(page) == []

"""The page as its readers have it: Chromium before a running platform with the example models of two tasks.

Set DYNABOARD_WEB_DATA to a folder to keep the platform's data from one run to the next: models that are on its boards
already are not run again, which saves a minute or two.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright
from rich.console import Console

from dynaboard.client import Client
from dynaboard.embedded import free_port
from dynaboard.nlp_tasks import TASKS
from examples import build, showcase
from examples.demo import example_datasets
from examples.local_platform import LocalPlatform, local_platform

ROOT = Path(__file__).parents[2]
WEB = ROOT / "services" / "gateway" / "web"
SUBMITTED = ("sentiment", "nli")
KINDS = ("majority", "tfidf", "fasttext")
# The platform is set up within the first test that asks for it.
TIMEOUT_S = 900
SIZES = {"wide": (1440, 900), "narrow": (390, 844)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of this folder last, and give them, and no others, the time that setting up a platform takes.

    Playwright keeps an event loop in the main thread from its first test to its last: no other can run one meanwhile.
    """
    here = Path(__file__).parent
    items.sort(key=lambda item: item.path.is_relative_to(here))
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.timeout(TIMEOUT_S))


@dataclass(frozen=True)
class Web:
    """The platform, and a browser before it."""

    url: str
    admin_key: str
    browser: Browser

    @contextmanager
    def page(self, path: str, *, size: str = "wide", scheme: str = "light", key: str = "") -> Iterator[Page]:
        """The page at `path` in a window of its own, signed in if a key is given. Motion is off.

        Fails afterwards if the page threw an error, wrote one to the console, or asked anybody but the platform.
        """
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            accept_downloads=True,
        )
        context.set_default_timeout(15_000)
        page = context.new_page()
        if key:
            page.add_init_script(f"sessionStorage.setItem('dynaboard-key', {json.dumps(key)})")
        troubles = _watch(page, self.url)
        try:
            page.goto(f"{self.url}{path}")
            yield page
            assert troubles == []
        finally:
            context.close()

    def client(self, key: str | None = None) -> Client:
        """The Python client, as the administrator unless another key is given."""
        return Client(self.url, self.admin_key if key is None else key)


def _watch(page: Page, url: str) -> list[str]:
    troubles: list[str] = []

    def console(message: ConsoleMessage) -> None:
        # Answers such as 404 may be part of what is tested; the browser notes each as an error of its own.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            troubles.append(message.text)

    def request(request: Request) -> None:
        if not request.url.startswith((url, "blob:")):
            troubles.append(f"asked {request.url}")

    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", console)
    page.on("request", request)
    return troubles


def axe(page: Page) -> list[str]:
    """What axe-core finds wrong: rule and place, a line each; an empty list is what we want."""
    session = page.context.new_cdp_session(page)
    # Evaluated by the debugger, for which the page's security policy makes no exception necessary.
    session.send("Runtime.evaluate", {"expression": (WEB / "node_modules/axe-core/axe.min.js").read_text()})
    answer = session.send(
        "Runtime.evaluate",
        {"expression": "axe.run().then(found => found.violations)", "awaitPromise": True, "returnByValue": True},
    )
    violations: list[dict[str, Any]] = answer["result"]["value"]
    return [f"{rule['id']}: {node['html'][:160]}" for rule in violations for node in rule["nodes"]]


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalPlatform]:
    """The platform with every dataset, and the example models of two tasks submitted, published and evaluated."""
    if not (WEB / "dist" / "index.html").is_file():
        pytest.skip("the page is not built; `make web` does it")
    if not shutil.which("java"):
        pytest.skip("models are served by TorchServe, which needs Java")
    kept = os.environ.get("DYNABOARD_WEB_DATA")
    data_dir = Path(kept) if kept else tmp_path_factory.mktemp("platform")
    console = Console(quiet=True)
    with local_platform(data_dir, free_port()) as platform, Client(platform.url, platform.key) as client:
        showcase.add_datasets(client, example_datasets(), console)
        folders = _models(tmp_path_factory.mktemp("models"))
        showcase.follow(client, showcase.submit_models(client, folders, console), console)
        assert {view.name: view.reason for view in client.submissions.mine() if view.status != "finished"} == {}
        yield platform


def _models(out: Path) -> list[Path]:
    tasks = [TASKS[name] for name in SUBMITTED]
    data = ROOT / "examples" / "datasets"
    return [
        build.build(kind, task, build.training_file(data, task), out / f"{kind}-{task.name}")
        for task in tasks
        for kind in KINDS
    ]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: the system's."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("the page is tested in Chromium, which is not installed (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def web(running: LocalPlatform, browser: Browser) -> Web:
    """The page of a running platform, in Chromium."""
    return Web(running.url, running.key, browser)

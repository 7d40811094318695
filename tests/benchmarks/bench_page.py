"""The page before a board of 1,000 models in Chromium: slider to painted frame, first load, LCP, CLS.

Targets: a slider's move is painted in under 50 ms; the first load is under 300 kB compressed, data of the board aside.
Needs Chromium and the built page (`make web`). Run from the repository's root:
`.venv/bin/python tests/benchmarks/bench_page.py`.
"""

import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "shared")]

from dynaboard import embedded, migrate  # noqa: E402 (after the path, so that it runs from a plain checkout)
from dynaboard.database import Database  # noqa: E402
from tests.benchmarks.bench_leaderboard import MODELS, TASK, fill, service  # noqa: E402

MOVES, FRAME_MS, FIRST_LOAD_KB, LCP_MS, CLS = 120, 50.0, 300.0, 2500.0, 0.1
# From an input event to the first task after its frame was painted, a move at a time; one move in two goes back.
MOVE = """
async ([name, moves]) => {
  const slider = [...document.querySelectorAll("input[type=range]")].find((one) => one.labels[0].innerText === name);
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(0);
  }));
  const times = [];
  for (let move = 0; move < moves; move++) {
    await painted();
    await painted();
    const start = performance.now();
    set.call(slider, String(1 + (move % 2 ? 4 : 0.25 * (move % 30))));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await painted();
    times.push(performance.now() - start);
  }
  return times;
}
"""
WATCH = """
window.seen = { shift: 0, largest: 0, events: [] };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => { seen.largest = list.getEntries().at(-1).startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === "keydown") seen.events.push(entry.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""


def main() -> None:
    """Print what is reached, each with its ratio to the target."""
    executable = shutil.which("chromium")
    if executable is None or not (ROOT / "services/gateway/web/dist/index.html").is_file():
        print("Chromium or the built page is not here; nothing measured")
        return
    with TemporaryDirectory() as folder, ExitStack() as stack:
        gateway = serve(folder, stack)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        for what, path in (("first page", "/"), (f"board of {MODELS:,} models", f"/boards/{TASK}")):
            loaded(browser, what, f"{gateway}{path}")
        moved(browser, f"{gateway}/boards/{TASK}")
        browser.close()


def serve(folder: str, stack: ExitStack) -> str:
    """A gateway and the scoring service behind it, with a thousand models in the database."""
    url = stack.enter_context(embedded.postgres(Path(folder)))
    migrate.upgrade(url)
    database = Database(url)
    fill(database)
    database.close()
    s3 = stack.enter_context(embedded.s3(Path(folder)))
    shared = {"data_dir": folder, "database_url": url, "s3_url": s3.url}
    shared |= {"s3_access_key": s3.access_key, "s3_secret_key": s3.secret_key}
    scoring, _ = stack.enter_context(service("scoring", **shared))
    gateway, _ = stack.enter_context(service("gateway", scoring_url=scoring, **shared))
    return gateway


def loaded(browser: Browser, what: str, url: str) -> None:
    """One load with nothing kept: bytes as they travel, and what the reader sees when."""
    page = opened(browser)
    sizes: dict[str, float] = {"files": 0.0, "data": 0.0}
    kinds: dict[str, str] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.responseReceived",
        lambda told: kinds.update({told["requestId"]: "data" if "/api/" in told["response"]["url"] else "files"}),
    )

    def ended(told: dict[str, Any]) -> None:
        sizes[kinds.get(told["requestId"], "files")] += told["encodedDataLength"] / 1000

    session.on("Network.loadingFinished", ended)
    page.goto(url)
    settle(page)
    seen = page.evaluate("seen")
    told(f"{what}: page, style, code and font, compressed, kB", sizes["files"], FIRST_LOAD_KB)
    print(f"{what}: data of the API, compressed, kB: {sizes['data']:.1f}")
    told(f"{what}: largest contentful paint on loopback, ms", seen["largest"], LCP_MS)
    told(f"{what}: cumulative layout shift", seen["shift"], CLS)
    page.context.close()


def moved(browser: Browser, url: str) -> None:
    """Moves of a slider: by script, to the task after the frame; and by key, as the Event Timing API has them."""
    page = opened(browser)
    page.goto(url)
    settle(page)
    for metric in ("Memory", "Throughput"):
        times = page.evaluate(MOVE, [metric, MOVES])
        middle, late, most = np.percentile(times, [50, 95, 100])
        told(f"slider {metric.lower()}, {MOVES} moves to painted frame, median ms", middle, FRAME_MS)
        told(f"slider {metric.lower()}, 95th percentile ms", late, FRAME_MS)
        print(f"slider {metric.lower()}, slowest ms: {most:.1f}")
    page.get_by_role("slider", name="Fairness").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight", delay=5)
        page.wait_for_timeout(40)
    durations = page.evaluate("seen.events") or [16]
    # Durations are given in steps of 8 ms; those under 16 are not told.
    told("slider by key, event to next paint, 95th percentile ms", float(np.percentile(durations, 95)), FRAME_MS)
    page.context.close()


def opened(browser: Browser) -> Page:
    """A page of an ordinary window, with motion, that notes what it sees."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.add_init_script(WATCH)
    return page


def settle(page: Page) -> None:
    """Until the board is there with its intervals, or the first page with its cards."""
    page.wait_for_load_state("load")
    if "/boards/" in page.url:
        page.get_by_text("intervals hold").wait_for()
    else:
        page.get_by_role("link", name="The whole board").wait_for()
    page.wait_for_timeout(500)


def told(what: str, value: float, target: float) -> None:
    """A line with the ratio to the target."""
    print(f"{what}: {value:.3g}; target {target:g}; ratio {value / target:.2f}", flush=True)


if __name__ == "__main__":
    main()

"""How soon does a reader see the home page? `python -m benchmarks.page_load [--rounds N]`

Largest contentful paint of a first visit in a real browser, with production's server and files: as the machine is, and
with the line of a slow phone (slow 4G, a processor four times slower). The exit status is 1 if a limit is passed.
"""

import argparse
import os
import shutil
import statistics
import sys
from pathlib import Path

import django
from playwright.sync_api import Browser, CDPSession, ViewportSize, sync_playwright
from rich.console import Console
from rich.progress import Progress

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from benchmarks import site, streaming  # noqa: E402
from benchmarks.bounds import Bound, conclude, spread  # noqa: E402
from benchmarks.data import Society  # noqa: E402
from benchmarks.production import COOKIE, collect_static, served  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from benchmarks.variants import MAIN  # noqa: E402
from socialsite.table.connection import table_name  # noqa: E402

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
PHONE: ViewportSize = {"width": 390, "height": 844}
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOWER_PROCESSOR = 4
LONGEST_PAINT = """
    new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
            .observe({ type: "largest-contentful-paint", buffered: true });
    })
"""


def main() -> int:
    options = _options()
    console = Console()
    times: dict[str, list[float]] = {"as it is": [], "slow phone": []}
    folder = Path(settings.DATA_DIR)
    with site.engine() as engine, Progress(console=console, transient=True) as progress:
        task = progress.add_task("Measuring", total=2 * options.rounds + 1)
        society = Society()
        site.make_table(table_name())
        streaming.fill(RawClient(engine.url), society.items())
        cookie = site.Browser(society.viewers[MAIN]).session_key
        static_root = collect_static(folder / "production")
        progress.advance(task)
        with served(folder, static_root) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            _load(browser, address, cookie, slow=False)  # the server's first page is its slowest
            for _ in range(options.rounds):
                for name, figures in times.items():
                    figures.append(_load(browser, address, cookie, slow=name == "slow phone"))
                    progress.advance(task)
            browser.close()
    bounds = [
        _bound("seconds until the largest paint, as it is", times["as it is"], 1.0),
        _bound("seconds until the largest paint, slow phone", times["slow phone"], 2.0),
    ]
    return conclude(console, bounds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page_load", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    return parser.parse_args()


def chromium() -> str | None:
    return (
        os.environ.get("CHROMIUM")
        or shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
    )


def _load(browser: Browser, address: str, cookie: str, *, slow: bool) -> float:
    """Seconds until the largest paint of the home page in a browser that has nothing kept."""
    context = browser.new_context(base_url=address, ignore_https_errors=True, viewport=PHONE)
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": address, "secure": True}])
    page = context.new_page()
    if slow:
        _slow_down(context.new_cdp_session(page))
    answer = page.goto("/")
    if answer is None or not answer.ok:
        raise RuntimeError("the home page could not be loaded")
    milliseconds = page.evaluate(LONGEST_PAINT)
    context.close()
    return float(milliseconds) / 1000


def _slow_down(devtools: CDPSession) -> None:
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})


def _bound(name: str, figures: list[float], must: float) -> Bound:
    return Bound(name, statistics.median(figures), "≤", must, rounds=spread(figures))


if __name__ == "__main__":
    sys.exit(main())

"""Readers who load pages, alone or as a crowd, also behind a proxy."""

import argparse
import os
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import django
from django.conf import settings
from playwright.sync_api import Browser, CDPSession, ViewportSize, sync_playwright
from rich.console import Console
from rich.progress import Progress

from benchmarks import (
    site,
    streaming,
)
from benchmarks.bounds import (
    Bound,
    conclude,
    spread,
)
from benchmarks.data import Society
from benchmarks.production import (
    COOKIE,
    collect_static,
    environment,
    served,
    wait_for,
)
from benchmarks.raw_client import RawClient
from benchmarks.variants import MAIN
from socialsite.table.connection import table_name

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

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
            browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
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


def _chromium() -> str | None:
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

WORKERS = 2


@contextmanager
def behind_proxy(static_root: Path, **given: str) -> Iterator[int]:
    """The port of the site on the table at hand; `given` is more of its environment."""
    port, health = _free_port(), _free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
    command += ["--log-level", "error", "socialsite.wsgi"]
    with (
        Path(settings.DATA_DIR, f"server-{port}.log").open("wb") as log,
        subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            env=_environment(static_root, port, health) | given,
            stdout=log,
            stderr=log,
        ) as server,
    ):
        try:
            wait_for(port, server)
            yield port
        finally:
            server.terminate()


def _environment(static_root: Path, port: int, health: int) -> dict[str, str]:
    return environment(static_root) | {
        "GUNICORN_BIND": f"127.0.0.1:{port}",
        "HEALTH_BIND": f"127.0.0.1:{health}",
        "WEB_CONCURRENCY": str(WORKERS),
        "TRUSTED_PROXY_HOPS": "1",
        "DYNAMODB_WEB_SECONDS": "5",  # eight at once wait for each other longer than readers would
        "PYTHONPATH": os.fspath(settings.BASE_DIR),
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


CONNECTIONS = 8
REFUSED = 0.05  # at most: pages that take nearly a second make a server refuse some
END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """Pages a second, the milliseconds of each, and how many answers said that the server is busy."""

    rate: float
    milliseconds: list[float]
    refused: int


@dataclass(slots=True)
class Line:
    """A connection, the answer that is arriving on it, and when it was asked for."""

    socket: socket.socket
    request: bytes
    asked: float = 0.0
    received: bytearray = field(default_factory=bytearray)
    was_refused: bool = False

    def ask(self) -> None:
        self.received.clear()
        self.asked = time.perf_counter()
        self.socket.sendall(self.request)

    def take(self) -> bytes | None:
        """Reads what is there and returns the body once it is complete."""
        part = self.socket.recv(262_144)
        if not part:
            raise RuntimeError("the server closed the connection")
        self.received += part
        head, found, body = bytes(self.received).partition(END)
        if not found:
            return None
        lines = head.lower().split(b"\r\n")
        self.was_refused = b" 503 " in lines[0]
        if b" 200 " not in lines[0] and not self.was_refused:
            raise RuntimeError(f"the server answered {lines[0].decode()}")
        lengths = [int(line[15:]) for line in lines if line.startswith(b"content-length:")]
        if len(lengths) != 1:
            raise RuntimeError("the answer does not say how long it is")
        return body if len(body) == lengths[0] else None


def request_for(address: str, cookie: str, *, encoding: str = "br, gzip") -> bytes:
    """Returns what a proxy that ends TLS passes on for a browser with this cookie."""
    lines = [
        f"GET {address} HTTP/1.1",
        "Host: localhost",
        "X-Forwarded-Proto: https",
        "X-Forwarded-For: 203.0.113.7",
        f"Accept-Encoding: {encoding}",
        "Accept-Language: en",
        f"Cookie: {cookie}",
    ]
    return "\r\n".join(lines).encode() + END


def fetch(port: int, request: bytes) -> str:
    """Returns one page."""
    with socket.create_connection(("127.0.0.1", port), 30) as opened:
        line = Line(opened, request)
        line.ask()
        while (body := line.take()) is None:
            pass
    if line.was_refused:
        raise RuntimeError("the server is busy")
    return (zlib.decompress(body, 31) if body[:2] == b"\x1f\x8b" else body).decode()


def load(port: int, request: bytes, seconds: float, *, connections: int = CONNECTIONS) -> Asked:
    """Asks on every connection, again as soon as it has its answer."""
    selector = selectors.DefaultSelector()
    lines = [
        Line(socket.create_connection(("127.0.0.1", port), 30), request) for _ in range(connections)
    ]
    for line in lines:
        line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(line.socket, selectors.EVENT_READ, line)
    milliseconds: list[float] = []
    began = time.perf_counter()
    until = ended = began + seconds
    waiting, refused = len(lines), 0
    for line in lines:
        line.ask()
    while waiting:
        for key, _ in selector.select():
            line = key.data
            if line.take() is None:
                continue
            ended = time.perf_counter()
            if line.was_refused:
                refused += 1
            else:
                milliseconds.append((ended - line.asked) * 1000)
            if ended < until:
                line.ask()
            else:
                waiting -= 1
                selector.unregister(line.socket)
                line.socket.close()
    selector.close()
    return Asked(len(milliseconds) / (ended - began), milliseconds, refused)


def check_refusals(name: str, turns: Iterable[Asked]) -> None:
    """Raises `RuntimeError` if a server refused so much in these turns that its pages a second say nothing."""
    asked = list(turns)
    pages = sum(len(one.milliseconds) for one in asked)
    refused = sum(one.refused for one in asked)
    if refused > REFUSED * pages:
        raise RuntimeError(f"{name}: {refused} answers said busy, beside {pages} pages")

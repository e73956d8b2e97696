"""The site beside another social network that runs here: `python -m benchmarks.neighbour ADDRESS --account …`

The other one is set up, filled and started by hand, as its own documents say (docs/performance.md says what was run).
Home, a profile, a post and the page to sign in are asked of both in turn, over one connection and over eight, straight
from their web servers. Then a real browser opens both homes, and the memory of all their processes is added up.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import django
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from accounts.models import HandleClaim, UserInfo  # noqa: E402
from benchmarks import site, streaming  # noqa: E402
from benchmarks.behind_proxy import behind_proxy  # noqa: E402
from benchmarks.bounds import Bound, conclude, spread  # noqa: E402
from benchmarks.crowd import BUSY, Crowd  # noqa: E402
from benchmarks.load import CONNECTIONS, END, first_page, load, request_for  # noqa: E402
from benchmarks.page_load import ARGUMENTS, LONGEST_PAINT, PHONE, chromium  # noqa: E402
from benchmarks.processes import family_of, memory_of  # noqa: E402
from benchmarks.production import (  # noqa: E402
    COOKIE,
    collect_static,
    environment,
    served,
)
from benchmarks.raw_client import RawClient  # noqa: E402
from feed.posts.models import Post  # noqa: E402
from socialsite.streams.worker import bulk_load  # noqa: E402
from socialsite.table import Item  # noqa: E402

SECONDS, WARM_SECONDS = 2.0, 1.0
OURS, THEIRS = "the site", "the other"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@dataclass(frozen=True, slots=True)
class Page:
    """A page of one of both."""

    name: str
    port: int
    request: bytes


def main() -> int:
    options = _options()
    console = Console()
    folder = Path(settings.DATA_DIR)
    with streaming.engine() as engine, Progress(console=console, transient=True) as progress:
        crowd = Crowd(options.posts)
        with bulk_load():  # the worker need not read all that
            streaming.fill(RawClient(engine.url), _without_pictures(crowd))
            claims = (
                HandleClaim.new(handle=one.handle, user_id=one.user_id) for one in crowd.people
            )
            streaming.fill(RawClient(engine.url), claims)
        static_root = collect_static(folder / "production")
        with behind_proxy(static_root) as port, _helpers(static_root):
            pages = {OURS: _ours(crowd, port), THEIRS: _theirs(options)}
            rates = _measure(pages, options.rounds, progress)
            memory = {OURS: memory_of(family_of(os.getpid()) - {os.getpid()})}
        memory[THEIRS] = memory_of(family_of(*options.processes))
        seen = _look(options, crowd, folder, static_root)
    return conclude(console, _bounds(rates), *_tables(rates, memory, seen))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neighbour", description=__doc__)
    parser.add_argument("address", help="of its web server, such as http://127.0.0.1:8000")
    parser.add_argument("--host", default="localhost", help="by which it knows itself")
    parser.add_argument("--browse", help="its address for browsers, behind its proxy")
    parser.add_argument("--sign-in", default="/login", help="the address of the form")
    parser.add_argument("--field", default="localname", help="of the account in that form")
    parser.add_argument("--account", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--profile", required=True, help="the address of a profile")
    parser.add_argument("--post", required=True, help="the address of a post")
    parser.add_argument(
        "--processes", nargs="*", type=int, default=(), help="ids, with all their children"
    )
    parser.add_argument("--posts", type=int, default=20_000, help="of the site's own table")
    parser.add_argument("--rounds", type=int, default=10)
    return parser.parse_args()


def _without_pictures(crowd: Crowd) -> Iterator[Item]:
    """Yields its items without pictures, which are no files: a browser would get as many pages that say so."""
    for item in crowd.items():
        if isinstance(item, UserInfo):
            item.avatar = None
        elif isinstance(item, Post):
            item.photos = None
        yield item


def _ours(crowd: Crowd, port: int) -> list[Page]:
    cookie = site.Browser(crowd.readers[BUSY]).cookie
    followed = set(crowd.follows[crowd.readers[BUSY]])
    author = next(one for one in crowd.people if one.user_id in followed)
    said = next(one for one in reversed(crowd.posts) if one.author_id == author.user_id)
    profile = f"/@{author.handle}"
    addresses = {
        "home": "/",
        "profile": profile,
        "post": f"{profile}/posts/{said.post_id}",
    }
    pages = [Page(name, port, request_for(one, cookie)) for name, one in addresses.items()]
    return [*pages, Page("page to sign in", port, request_for("/login", ""))]


def _theirs(options: argparse.Namespace) -> list[Page]:
    port = urlsplit(options.address).port or 80
    cookie = "; ".join(f"{name}={value}" for name, value in _signed_in(options).items())
    addresses = {"home": "/", "profile": options.profile, "post": options.post}
    pages = [
        Page(name, port, _request(options, address, cookie)) for name, address in addresses.items()
    ]
    return [*pages, Page("page to sign in", port, _request(options, options.sign_in, ""))]


def _request(options: argparse.Namespace, address: str, cookie: str) -> bytes:
    lines = [f"GET {address} HTTP/1.1", f"Host: {options.host}", "Accept-Encoding: br, gzip"]
    lines += ["Accept-Language: en", *([f"Cookie: {cookie}"] if cookie else ())]
    return "\r\n".join(lines).encode() + END


def _signed_in(options: argparse.Namespace) -> dict[str, str]:
    """Returns the cookies of someone who signed in by the form."""
    cookies: dict[str, str] = {}
    html = _ask(options, "GET", cookies)
    found = TOKEN.search(html)
    if not found:
        raise RuntimeError("the form to sign in has no token")
    values = {"csrfmiddlewaretoken": found[1], "password": options.password}
    _ask(options, "POST", cookies, urlencode(values | {options.field: options.account}))
    if len(cookies) < 2:
        raise RuntimeError("nobody was signed in")
    return cookies


def _ask(options: argparse.Namespace, method: str, cookies: dict[str, str], body: str = "") -> str:
    asked = HTTPConnection(urlsplit(options.address).netloc, timeout=60)
    headers = {
        "Host": options.host,
        "Referer": f"http://{options.host}{options.sign_in}",
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
    }
    asked.request(method, options.sign_in, body, headers)
    answer = asked.getresponse()
    for given in answer.headers.get_all("Set-Cookie") or ():
        name, _, value = given.partition(";")[0].partition("=")
        cookies[name] = value
    text = answer.read().decode()
    asked.close()
    return text


Rates = dict[tuple[str, str, int], list[float]]


def _measure(pages: dict[str, list[Page]], rounds: int, progress: Progress) -> Rates:
    asks = {
        (who, page.name, connections): partial(
            load, page.port, page.request, connections=connections
        )
        for who, all_pages in pages.items()
        for page in all_pages
        for connections in (1, CONNECTIONS)
    }
    for all_pages in pages.values():
        for page in all_pages:
            first_page(page.port, page.request.replace(b"br, gzip", b"identity"))
    found: Rates = defaultdict(list)
    task = progress.add_task("Measuring", total=rounds * len(asks))
    for _ in range(rounds):
        for key in random.sample(list(asks), len(asks)):
            asks[key](WARM_SECONDS)
            found[key].append(asks[key](SECONDS).rate)
            progress.advance(task)
    return found


@contextmanager
def _helpers(static_root: Path) -> Iterator[None]:
    """The processes that `make serve` starts beside the web server and the engine, so far as they take memory."""
    given = environment(static_root)
    with ExitStack() as stack:
        for name in ("run_worker", "run_pusher"):
            command = [sys.executable, "manage.py", name]
            log = stack.enter_context(Path(settings.DATA_DIR, f"{name}.log").open("wb"))
            started = subprocess.Popen(
                command, cwd=settings.BASE_DIR, env=given, stdout=log, stderr=log
            )
            stack.callback(started.wait)
            stack.callback(started.terminate)
        yield


Seen = dict[str, tuple[float, int, int]]  # seconds until the largest paint, bytes, requests


def _look(options: argparse.Namespace, crowd: Crowd, folder: Path, static_root: Path) -> Seen:
    """First visits of home in a browser that has nothing kept."""
    seen: Seen = {}
    ours = {COOKIE: site.Browser(crowd.readers[BUSY]).session_key}
    with served(folder, static_root) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        homes = {
            OURS: (address, ours),
            THEIRS: (options.browse or options.address, _signed_in(options)),
        }
        for who, (where, cookies) in homes.items():
            visits = [_visit(browser, where, cookies) for _ in range(options.rounds + 1)][1:]
            columns = zip(*visits, strict=True)
            paint, size, requests = (statistics.median(column) for column in columns)
            seen[who] = paint, int(size), int(requests)
        browser.close()
    return seen


def _visit(browser: object, where: str, cookies: dict[str, str]) -> tuple[float, int, int]:
    context = browser.new_context(  # type: ignore[attr-defined]
        base_url=where, ignore_https_errors=True, viewport=PHONE
    )
    secure = where.startswith("https")
    context.add_cookies(
        [
            {"name": name, "value": value, "url": where, "secure": secure}
            for name, value in cookies.items()
        ]
    )
    page = context.new_page()
    sizes: list[int] = []
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on(
        "Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"]))
    )
    answer = page.goto("/", wait_until="networkidle")
    if answer is None or not answer.ok:
        raise RuntimeError(f"{where} could not be opened")
    milliseconds = page.evaluate(LONGEST_PAINT)
    context.close()
    return float(milliseconds) / 1000, sum(sizes), len(sizes)


def _bounds(rates: Rates) -> list[Bound]:
    bounds = []
    for who, name, connections in rates:
        if who == OURS:
            pairs = zip(
                rates[OURS, name, connections], rates[THEIRS, name, connections], strict=True
            )
            ratios = [ours / theirs for ours, theirs in pairs]
            said = f"pages a second over the other's, {name}, {connections} at once"
            bounds.append(Bound(said, statistics.median(ratios), "≥", rounds=spread(ratios)))
    return bounds


def _tables(rates: Rates, memory: dict[str, float], seen: Seen) -> Iterator[Table]:
    made = Table("page", "at once", OURS, THEIRS, title="Pages a second")
    for who, name, connections in rates:
        if who == OURS:
            figures = [statistics.median(rates[one, name, connections]) for one in (OURS, THEIRS)]
            made.add_row(name, str(connections), *(f"{one:.1f}" for one in figures))
    yield made
    whole = Table("", OURS, THEIRS, title="Memory, and home on a first visit")
    whole.add_row("MiB of all processes", *(f"{memory[one]:.0f}" for one in (OURS, THEIRS)))
    whole.add_row("seconds until the largest paint", *(f"{seen[one][0]:.2f}" for one in seen))
    whole.add_row("bytes", *(f"{seen[one][1]:,}" for one in seen))
    whole.add_row("answers", *(str(seen[one][2]) for one in seen))
    yield whole


if __name__ == "__main__":
    sys.exit(main())

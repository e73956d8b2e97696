"""What do open pages cost that are told, and how soon do they hear?
`python -m benchmarks.live [--people N] [--rounds N]`

2,000 browsers hold a connection to `manage.py run_live`. Someone follows one of them after the other; the stream
worker, a process of its own, rings their bells, and they hear of it. Someone else opens the home page again and again,
alone and beside them, in turn. The exit status is 1 if a limit is passed. See docs/performance.md.
"""

import argparse
import asyncio
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import django
from rich.console import Console

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from accounts.models import SignIn, UserCount, UserInfo, UserSettings  # noqa: E402
from accounts.people.viewer import Viewer  # noqa: E402
from accounts.sessions import hash_secret, today  # noqa: E402
from benchmarks import site, streaming  # noqa: E402
from benchmarks.behind_proxy import behind_proxy  # noqa: E402
from benchmarks.bounds import Bound, conclude, percentile, spread  # noqa: E402
from benchmarks.data import SECRET, Society  # noqa: E402
from benchmarks.open_pages import Site  # noqa: E402
from benchmarks.production import collect_static, environment, wait_for  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from benchmarks.variants import MAIN  # noqa: E402
from operations.serving.nginx import free_addresses  # noqa: E402
from relations.follows.writes import follow  # noqa: E402
from socialsite.streams.worker import bulk_load  # noqa: E402
from socialsite.table import Item, ids  # noqa: E402

PEOPLE = 2_000
OPEN_AT_ONCE = 50
HOME_EVERY = 0.3  # seconds
NEWS_EVERY = 0.5
WARMS_UP = 3.0
PATIENCE = 10.0  # seconds, after which news count as lost
CATCHES_UP = 100.0  # seconds, in which the worker begins
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Found:
    """What was measured, in seconds, MB and shares of a core."""

    base: float = 0.0
    full: float = 0.0
    at_rest: float = 0.0
    opened_in: float = 0.0
    alone: list[list[float]] = field(default_factory=list)
    beside: list[list[float]] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)
    lost: int = 0


def main() -> int:
    options = _options()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * options.people + 500
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, hard)), hard))
    with streaming.engine() as engine:
        raw, society = RawClient(engine.url), Society()
        people = [ids.new_id() for _ in range(options.people)]
        with bulk_load():  # the worker need not read all that
            streaming.fill(raw, society.items())
            streaming.fill(raw, (item for one in people for item in _items_of(one)))
        static_root = collect_static(Path(settings.DATA_DIR, "production"))
        reader = society.viewers[MAIN]
        with (
            behind_proxy(static_root) as port,
            _process("run_worker", static_root),
            _live(static_root) as (live, bind),
        ):
            found = asyncio.run(measure(live, bind, port, people, reader, options))
    return conclude(Console(), bounds_of(found, options.people))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE, help="who have a page open")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    parser.add_argument("--seconds", type=int, default=30, help="of each half of a round")
    return parser.parse_args()


def _items_of(user_id: str) -> Iterator[Item]:
    yield UserInfo.new(user_id=user_id, handle=f"open{user_id[-8:]}".lower(), name="Open")
    yield UserCount.new(user_id=user_id)
    yield UserSettings.new(user_id=user_id, seen=today())
    yield SignIn.new(
        user_id=user_id,
        secret_hash=hash_secret(SECRET),
        browser="benchmark",
        seen=today(),
        ttl=datetime.now(UTC) + timedelta(days=7),
        epoch=0,
    )


@contextmanager
def _process(command: str, static_root: Path, **given: str) -> Iterator[subprocess.Popen[bytes]]:
    with (
        Path(settings.DATA_DIR, f"{command}.log").open("wb") as log,
        subprocess.Popen(
            [sys.executable, "manage.py", command],
            cwd=settings.BASE_DIR,
            env=environment(static_root) | given,
            stdout=log,
            stderr=log,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def _live(static_root: Path) -> Iterator[tuple[int, str]]:
    """The process's id and address, once it answers."""
    bind, many = free_addresses(1)[0], "100000"
    given = {"LIVE_BIND": bind, "LIVE_MOST": many, "LIVE_PER_ADDRESS": many}
    with _process("run_live", static_root, **given) as process:
        wait_for(int(bind.rpartition(":")[2]), process)
        yield process.pid, bind


class OpenPage:
    """A browser that listens. `heard` is set when a bell rings."""

    def __init__(self, bind: str, user_id: str) -> None:
        self.user_id, self.bind = user_id, bind
        self.heard = asyncio.Event()

    async def open(self) -> None:
        host, _, port = self.bind.rpartition(":")
        lines, self.writer = await asyncio.open_connection(host, int(port), limit=2048)
        cookies = site.cookies_of(site.session_key_of(self.user_id))
        self.writer.write(f"GET /live HTTP/1.1\r\nHost: x\r\nCookie: {cookies}\r\n\r\n".encode())
        await lines.readuntil(b"data: open\n")
        self.listening = asyncio.create_task(self._listen(lines))

    async def _listen(self, lines: asyncio.StreamReader) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                if await lines.readuntil(b"\n") == b"data: bell\n":
                    self.heard.set()

    def close(self) -> None:
        self.listening.cancel()
        self.writer.close()


async def measure(
    live: int,
    bind: str,
    port: int,
    people: Sequence[str],
    reader: str,
    options: argparse.Namespace,
) -> Found:
    found, cookies = Found(base=_megabytes(live)), site.cookies_of(site.session_key_of(reader))
    await _catch_up(OpenPage(bind, people[0]), reader)
    home = Site(port, connections=1)
    await _read_home(home, cookies, WARMS_UP)
    order = random.sample(range(1, len(people)), len(people) - 1)  # each is followed once
    for number in range(options.rounds):
        found.alone.append(await _read_home(home, cookies, options.seconds))
        pages = [OpenPage(bind, one) for one in people]
        began = time.perf_counter()
        for first in range(0, len(pages), OPEN_AT_ONCE):
            await asyncio.gather(*(one.open() for one in pages[first : first + OPEN_AT_ONCE]))
        found.opened_in = time.perf_counter() - began
        found.full = max(found.full, _megabytes(live))
        if not number:
            found.at_rest = await _share_of_a_core(live, 2 * options.seconds)
        telling = asyncio.create_task(_tell(found, pages, order, reader, options.seconds))
        found.beside.append(await _read_home(home, cookies, options.seconds))
        await telling
        for one in pages:
            one.close()
        await asyncio.sleep(2)
    return found


async def _catch_up(page: OpenPage, reader: str) -> None:
    await page.open()
    await asyncio.to_thread(follow, by=Viewer(reader), user_id=page.user_id)
    async with asyncio.timeout(CATCHES_UP):
        await page.heard.wait()
    page.close()


async def _tell(
    found: Found, pages: Sequence[OpenPage], order: list[int], reader: str, seconds: float
) -> None:
    until, by = time.perf_counter() + seconds, Viewer(reader)
    while time.perf_counter() < until:
        page = pages[order.pop()]
        page.heard.clear()
        began = time.perf_counter()
        await asyncio.to_thread(follow, by=by, user_id=page.user_id)
        try:
            async with asyncio.timeout(PATIENCE):
                await page.heard.wait()
            found.ages.append(time.perf_counter() - began)
        except TimeoutError:
            found.lost += 1
        await asyncio.sleep(NEWS_EVERY)


async def _read_home(home: Site, cookies: str, seconds: float) -> list[float]:
    until, took = time.perf_counter() + seconds, []
    while time.perf_counter() < until:
        answer = await home.ask("/", cookies)
        if answer.status == 200:
            took.append(answer.seconds)
        await asyncio.sleep(HOME_EVERY)
    return took


async def _share_of_a_core(process: int, seconds: float) -> float:
    before = _ticks(process)
    await asyncio.sleep(seconds)
    return (_ticks(process) - before) / TICKS / seconds


def _ticks(process: int) -> int:
    """Returns the processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return int(fields[11]) + int(fields[12])


def _megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def bounds_of(found: Found, people: int) -> list[Bound]:
    ratios = [
        statistics.median(beside) / statistics.median(alone)
        for alone, beside in zip(found.alone, found.beside, strict=True)
    ]
    each = (found.full - found.base) * 1000 / people
    return [
        Bound("MB of the process, nobody there", found.base, "≤"),
        Bound("MB per 1,000 connections", each, "≤", 30, goal=15),
        Bound(f"seconds until {people} were there", found.opened_in, "≤"),
        Bound("share of a core at rest", found.at_rest, "≤", 0.03),
        Bound("seconds until news are heard, p95", percentile(found.ages, 95), "≤", 1.0),
        Bound("news that never came", found.lost, "≤", 0),
        Bound(
            "home p50 beside them / alone",
            statistics.median(ratios),
            "≤",
            1.05,
            rounds=spread(ratios),
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())

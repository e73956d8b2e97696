"""Do messages arrive in time while many have a conversation open, and what do others feel of it?
`python -m benchmarks.open_chats [--people N] [--rounds N]`

500 people have a conversation open and ask for news as their page does; one in five of them talks. Someone else opens
the home page again and again, alone and beside them, in turn. The server is production's with two workers, the worker
of the stream is a process of its own. The exit status is 1 if a limit is passed. See docs/performance.md.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import django
from rich.console import Console
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from accounts.encryption.person_keys import new_person_key  # noqa: E402
from accounts.models import (  # noqa: E402
    HandleClaim,
    SignIn,
    UserCount,
    UserInfo,
    UserSettings,
)
from accounts.sessions import hash_secret, today  # noqa: E402
from benchmarks import site, streaming  # noqa: E402
from benchmarks.behind_proxy import behind_proxy  # noqa: E402
from benchmarks.bounds import Bound, conclude, percentile, spread  # noqa: E402
from benchmarks.data import SECRET, Society  # noqa: E402
from benchmarks.open_pages import OpenPage, Seen, Site  # noqa: E402
from benchmarks.production import collect_static, environment  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from benchmarks.variants import MAIN  # noqa: E402
from chats.models import Chat, ChatEntry, State  # noqa: E402
from socialsite.table import Item, ids, keys, write_batch  # noqa: E402

PEOPLE = 500
TALKING = 5  # every fifth pair
CONNECTIONS = 32  # that the proxy keeps
AT_ONCE = 8  # pages that are opened at the same time
HOME_EVERY = 0.3  # seconds
MOST_REFUSED = 0.01
PATIENCE = 10  # seconds, after which a message counts as lost


@dataclass
class Round:
    """How long the home page took alone and beside the conversations, in seconds."""

    alone: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    span: tuple[float, float] = (
        0,
        0,
    )  # in which a message is sent early enough to come before its end

    @property
    def ratio(self) -> float:
        return statistics.median(self.beside) / statistics.median(self.alone)


def main() -> int:
    options = _options()
    console = Console()
    with streaming.engine() as engine:
        raw, society = RawClient(engine.url), Society()
        streaming.fill(raw, society.items())
        people = list(pairs(options.people // 2))
        write_batch(puts=[item for pair in people for item in items_of(*pair)])
        static_root = collect_static(Path(settings.DATA_DIR, "production"))
        reader = site.cookies_of(site.session_key_of(society.viewers[MAIN]))
        with behind_proxy(static_root) as port, _worker(static_root):
            rounds, seen = asyncio.run(measure(port, people, reader, options))
    bounds = bounds_of(rounds, seen)
    return conclude(console, bounds, _table(seen, options.rounds * options.seconds))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.open_chats", description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE, help="with an open conversation")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    parser.add_argument("--seconds", type=int, default=40, help="of a round, beside them")
    options = parser.parse_args()
    if options.people < 2 * TALKING or options.rounds < 1:
        parser.error(f"--people must be at least {2 * TALKING}, --rounds at least 1")
    return options


Person = tuple[str, str]  # id and handle


def pairs(count: int) -> Iterator[tuple[Person, Person]]:
    """Yields people who talk to each other, two by two."""
    long_ago = datetime.now(UTC) - timedelta(days=400)
    everyone = (
        (ids.id_at(long_ago + timedelta(minutes=number), os.urandom(10)), f"talker{number}")
        for number in range(2 * count)
    )
    yield from zip(everyone, everyone, strict=True)


def items_of(one: Person, other: Person) -> Iterator[Item]:
    """Yields two people and the conversation to which both agreed."""
    until = datetime.now(UTC) + timedelta(days=7)
    chat_id = keys.pair(one[0], other[0])
    chat = Chat(*keys.chat(chat_id), chat_id=chat_id, members={one[0], other[0]})
    yield chat
    for (user_id, handle), (other_id, _) in ((one, other), (other, one)):
        yield UserInfo.new(user_id=user_id, handle=handle, name=handle.title())
        yield UserCount.new(user_id=user_id)
        yield UserSettings.new(user_id=user_id, seen=today())
        yield HandleClaim.new(handle=handle, user_id=user_id)
        yield new_person_key(user_id)[1].item
        yield SignIn.new(
            user_id=user_id,
            secret_hash=hash_secret(SECRET),
            browser="benchmark",
            seen=today(),
            ttl=until,
            epoch=0,
        )
        yield ChatEntry.new(
            user_id=user_id, chat_id=chat_id, state=State.IN, ttl=until, other_id=other_id
        )


@contextmanager
def _worker(static_root: Path) -> Iterator[None]:
    """The worker of the stream, as `make serve` starts it."""
    command = [sys.executable, "manage.py", "run_worker"]
    with (
        Path(settings.DATA_DIR, "worker.log").open("wb") as log,
        subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=environment(static_root), stdout=log, stderr=log
        ) as worker,
    ):
        try:
            yield
        finally:
            worker.terminate()


async def measure(
    port: int,
    people: Sequence[tuple[Person, Person]],
    reader: str,
    options: argparse.Namespace,
) -> tuple[list[Round], Seen]:
    """Opens all conversations, and measures the home page alone and beside them."""
    proxy = Site(port, connections=CONNECTIONS)
    pages: list[tuple[OpenPage, bool]] = []
    for number, (one, other) in enumerate(people):
        for (user_id, _), (other_id, handle) in ((one, other), (other, one)):
            cookies = site.cookies_of(site.session_key_of(user_id))
            pages.append((OpenPage(proxy, cookies, handle, other_id), number % TALKING == 0))
    for first in range(0, len(pages), AT_ONCE):
        await asyncio.gather(*(page.open() for page, _ in pages[first : first + AT_ONCE]))
    home = Site(port, connections=1)
    await _read_home(home, reader, 3)  # warms both workers up
    rounds, seen = [], Seen()
    for _ in range(options.rounds):
        measured = Round(alone=await _read_home(home, reader, options.seconds / 4))
        until = time.perf_counter() + options.seconds
        beside, *_ended = await asyncio.gather(
            _read_home(home, reader, options.seconds),
            *(page.live(seen, until=until, talks=talks) for page, talks in pages),
        )
        measured.beside, measured.span = beside or [], (until - options.seconds, until - PATIENCE)
        rounds.append(measured)
    return rounds, seen


async def _read_home(home: Site, reader: str, seconds: float) -> list[float]:
    until, took = time.perf_counter() + seconds, []
    while time.perf_counter() < until:
        answer = await home.ask("/", reader)
        if answer.status == 200:
            took.append(answer.seconds)
        await asyncio.sleep(HOME_EVERY)
    return took


def bounds_of(rounds: Sequence[Round], seen: Seen) -> list[Bound]:
    ratios = [one.ratio for one in rounds]
    asked = len(seen.looks) + len(seen.sends)
    return [
        Bound("seconds until a message arrives, p95", percentile(seen.ages, 95), "≤", 3.5),
        Bound(
            "home p50 beside them / alone",
            statistics.median(ratios),
            "≤",
            1.15,
            rounds=spread(ratios),
        ),
        Bound("messages that never came", seen.lost(before=[one.span for one in rounds]), "≤", 0),
        Bound("refused, of what was asked", seen.refused / max(1, asked), "≤", MOST_REFUSED),
    ]


def _table(seen: Seen, seconds: float) -> Table:
    made = Table("what", "a second", "p50 ms", "p95 ms", title="Open conversations")
    for name, took in (("looks for news", seen.looks), ("messages", seen.sends)):
        p50, p95 = (f"{1000 * percentile(took, one):.0f}" for one in (50, 95))
        made.add_row(name, f"{len(took) / seconds:.1f}", p50, p95)
    ages = seen.ages
    p50, p95 = (f"{1000 * percentile(ages, one):.0f}" for one in (50, 95))
    made.add_row("arrivals", f"{len(ages) / seconds:.1f}", p50, p95)
    return made


if __name__ == "__main__":
    sys.exit(main())

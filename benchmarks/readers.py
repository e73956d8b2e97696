"""How often is a card found that another reader's page left? `python -m benchmarks.readers [--readers N]`

Thousands of people open home once each, in one process that has nothing kept at first, in three languages. Each follows
a hundred of a thousand people, some of whom many follow and most few. Counted are the cards and buttons that had to be
drawn, and the processor time of the process for a page, among the first hundred pages and among the last thousand. Then
the same people come again. What is kept changes neither calls nor read units.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import django
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from accounts.models import SignIn, UserCount, UserInfo  # noqa: E402
from accounts.sessions import hash_secret, today  # noqa: E402
from benchmarks import site, streaming  # noqa: E402
from benchmarks.bounds import Bound, conclude  # noqa: E402
from benchmarks.data import SECRET, TEXTS, avatar_of, photo_of  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from feed.posts.models import LikeCount, Post, TimelineEntry  # noqa: E402
from feed.templatetags.posts import BUTTONS, CARDS, MENUS  # noqa: E402
from socialsite.table import PAGE_SIZE, Item, ids  # noqa: E402
from socialsite.table.connection import table_name  # noqa: E402
from socialsite.web.drawings import Drawings  # noqa: E402
from socialsite.web.templatetags.kept import DRAWINGS  # noqa: E402

READERS, PEOPLE, FOLLOWED = 3_000, 1_000, 100
POSTS = 10  # of each, of the last two days
LANGUAGES = {"en": 7, "de": 2, "zh-hans": 1}  # of ten readers
FIRST, LAST = 100, 1_000


class Drawn:
    """Counts how often something is drawn."""

    def __init__(self, drawings: Drawings) -> None:
        self.count, self._draw = 0, drawings.draw
        drawings.draw = self._counted

    def _counted(self, key):  # type: ignore[no-untyped-def]
        self.count += 1
        return self._draw(key)


def main() -> int:
    options = _options()
    console = Console()
    with site.engine() as engine, Progress(console=console, transient=True) as progress:
        site.make_table(table_name())
        readers = [ids.new_id() for _ in range(options.readers)]
        streaming.fill(RawClient(engine.url), _items(readers))
        cards, buttons = Drawn(CARDS), Drawn(BUTTONS)
        browser = site.Browser(readers[0])
        for kept in (CARDS, BUTTONS, MENUS, DRAWINGS):
            kept.forget()
        table = Table(
            *("pages", "cards found", "buttons found", "ms of a page", "cards kept"),
            title="Home of different people",
        )
        languages = random.choices(list(LANGUAGES), list(LANGUAGES.values()), k=len(readers))
        found = 1.0
        for name in ("first visits", "the same people again"):
            before, before_buttons = cards.count, buttons.count
            times = []
            for reader, language in progress.track(
                list(zip(readers, languages, strict=True)), description=name
            ):
                browser.cookie = site.cookies_of(site.session_key_of(reader))
                ask = browser.page("/", language=language)
                began = time.process_time()
                ask()
                times.append((time.process_time() - began) * 1000)
                if len(times) == FIRST:
                    _row(
                        table,
                        f"{name}, {FIRST}",
                        times,
                        cards.count - before,
                        buttons.count - before_buttons,
                    )
            _row(table, f"{name}, all", times, cards.count - before, buttons.count - before_buttons)
            if name == "first visits":
                found = 1 - (cards.count - before) / (len(times) * PAGE_SIZE)
    bound = Bound("cards found, first visits", found, "≥", goal=0.9)
    return conclude(console, [bound], table)


def _row(table: Table, name: str, times: list[float], cards: int, buttons: int) -> None:
    asked = len(times) * PAGE_SIZE
    share = (f"{1 - count / asked:.1%}" for count in (cards, buttons))
    table.add_row(name, *share, f"{statistics.median(times[-LAST:]):.2f}", str(len(CARDS)))


def _items(readers: list[str]) -> Iterator[Item]:
    now = datetime.now(UTC)
    until = now + timedelta(days=30)
    people = [ids.new_id() for _ in range(PEOPLE)]
    posts: dict[str, list[str]] = {}
    for number, user_id in enumerate(people):
        yield from _person(user_id, f"person{number}")
        moments = sorted(now - timedelta(hours=random.uniform(0, 48)) for _ in range(POSTS))
        posts[user_id] = [ids.id_at(one, random.randbytes(10)) for one in moments]
        for post_id in posts[user_id]:
            photos = [photo_of(post_id)] if random.random() < 0.2 else ()
            text = TEXTS[number % len(TEXTS)]
            yield Post.new(post_id=post_id, author_id=user_id, content=text, photos=photos)
            count = LikeCount.new(post_id=post_id)
            count.likes = random.randrange(50)
            yield count
    weights = [1 / (place + 10) for place in range(PEOPLE)]
    for number, reader in enumerate(readers):
        yield from _person(reader, f"reader{number}")
        yield SignIn.new(
            user_id=reader,
            secret_hash=hash_secret(SECRET),
            browser="benchmark",
            seen=today(),
            ttl=until,
            epoch=0,
        )
        followed = set(random.choices(people, weights, k=2 * FOLLOWED)[: 2 * FOLLOWED])
        newest = sorted(
            ((post_id, one) for one in list(followed)[:FOLLOWED] for post_id in posts[one]),
            reverse=True,
        )
        for post_id, author_id in newest[: PAGE_SIZE + 5]:
            yield TimelineEntry.new(user_id=reader, post_id=post_id, author_id=author_id, ttl=until)


def _person(user_id: str, handle: str) -> Iterator[Item]:
    info = UserInfo.new(user_id=user_id, handle=handle, name=handle.title())
    info.avatar = avatar_of(user_id)
    yield info
    yield UserCount.new(user_id=user_id)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readers", description=__doc__)
    parser.add_argument("--readers", type=int, default=READERS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

"""How long does a search take, does it stay flat as the index grows, and what does PostgreSQL take for the same page?
`python -m benchmarks.search [--entries N N] [--searches N] [--rounds N]`

Two tables hold the same people and other numbers of posts. Searches of one, two and three words, which some post has,
are asked in turn with the home page. PostgreSQL holds the posts of the larger one with a GIN index: the same page with
its answer in place of `search_posts`. The exit status is 1 if a limit is passed. See docs/performance.md.

The words of the posts are as rare as those of real texts, and the same each time.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import django
from rich.console import Console
from rich.progress import track
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from accounts.models import UserInfo  # noqa: E402
from accounts.people.viewer import Viewer  # noqa: E402
from benchmarks import site, streaming  # noqa: E402
from benchmarks.bounds import Bound, conclude, percentile, spread  # noqa: E402
from benchmarks.data import Society, avatar_of  # noqa: E402
from benchmarks.peer.engine import Missing, running  # noqa: E402
from benchmarks.peer.pages import post_card  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from benchmarks.variants import MAIN  # noqa: E402
from feed.posts.models import LikeCount, Post  # noqa: E402
from finding.query import Asked  # noqa: E402
from finding.reads import Hits, marked_in  # noqa: E402
from finding.writes import word_items  # noqa: E402
from socialsite.table import PAGE_SIZE, Item, ids  # noqa: E402

DAYS = 80  # in which the posts were published; entries live for 90
WORDS = 10  # of a post
VOCABULARY, COMMON = 60_000, 120  # the most common ones are stop words, and in no index
KINDS = ("one word", "two words", "three words")


@dataclass(frozen=True, slots=True)
class Written:
    """A post, as both sides hold it."""

    post_id: str
    author_id: str
    content: str
    likes: int


class Texts:
    """Posts whose words are as rare as those of real texts: the n-th is used 1/n as often as the first. The same ones
    each time."""

    def __init__(self) -> None:
        self.chance = random.Random(39)
        letters = "aeioubdfgklmnprstvz"
        self.words = [
            "".join(self.chance.choice(letters) for _ in range(4 + number % 6)) + f"{number:x}"
            for number in range(VOCABULARY)
        ]
        self.weights = [1 / (COMMON + number) for number in range(VOCABULARY)]

    def posts(self, entries: int, authors: Sequence[str]) -> Iterator[Written]:
        count, now = entries // WORDS, datetime.now(UTC)
        for number in range(count):
            content = " ".join(self.chance.choices(self.words, self.weights, k=WORDS))
            at = now - timedelta(days=DAYS) * (1 - number / count)
            post_id = ids.id_at(at, self.chance.randbytes(10))
            yield Written(post_id, authors[number % len(authors)], content, number % 50)

    def searches(self, posts: Sequence[Written], count: int) -> dict[str, list[str]]:
        """Some of each kind, with words of some post, so that there is something to find."""
        made: dict[str, list[str]] = {}
        for size, kind in enumerate(KINDS, 1):
            said = (self.chance.choice(posts).content.split() for _ in range(count))
            made[kind] = [" ".join(self.chance.sample(words, size)) for words in said]
        return made


ENTRIES = (100_000, 1_000_000)
PEER = "PostgreSQL, "
MOST_RATIO, MOST_GROWTH = 2.0, 1.2


def items_of(one: Written) -> Iterator[Item]:
    post = Post.new(post_id=one.post_id, author_id=one.author_id, content=one.content)
    count = LikeCount.new(post_id=one.post_id)
    count.likes = one.likes
    yield from (post, count, *word_items(post))


@dataclass
class Rounds:
    """Seconds of each round, by what was asked."""

    taken: dict[str, list[list[float]]] = field(default_factory=dict)

    def note(self, name: str, seconds: list[float]) -> None:
        self.taken.setdefault(name, []).append(seconds)

    def p95s(self, name: str) -> list[float]:
        return [percentile(seconds, 95) for seconds in self.taken[name]]

    def ratios(self, name: str, to: str) -> list[float]:
        pairs = zip(self.p95s(name), self.p95s(to), strict=True)
        return [one / other for one, other in pairs]

    def ratio(self, name: str, to: str) -> float:
        return statistics.median(self.ratios(name, to))


def main() -> int:
    options = _options()
    console, texts, rounds = Console(), Texts(), Rounds()
    with site.engine() as engine:
        raw, society = RawClient(engine.url), Society()
        asks: dict[str, list[Callable[[], object]]] = {}
        posts: list[Written] = []
        for entries in sorted(options.entries):
            name = f"search-{entries}"
            site.make_table(name)
            with site.table(name):
                posts = _fill(raw, society, texts, entries)
                viewer = society.viewers[MAIN]
                asks |= _asks(name, entries, viewer, texts.searches(posts, options.searches))
        with _peer(society, posts) as peer:
            if peer:
                asks |= {
                    f"{PEER}{kind}": [
                        peer(ask) for ask in asks[f"{kind}, {max(options.entries):,}"]
                    ]
                    for kind in KINDS
                }
            else:
                console.print("Without PostgreSQL: `apt-get install postgresql` brings it.")
            _measure(asks, rounds, options)
    return conclude(console, bounds_of(rounds, sorted(options.entries)), _table(rounds))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--entries", type=int, nargs="+", default=list(ENTRIES), help="of words")
    parser.add_argument("--searches", type=int, default=50, help="of each kind in a round")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is measured")
    options = parser.parse_args()
    if min(options.entries) < 100 * WORDS or options.rounds < 1 or options.searches < 2:
        parser.error("--entries must be at least 1000, --searches 2, --rounds 1")
    return options


def _fill(raw: RawClient, society: Society, texts: Texts, entries: int) -> list[Written]:
    streaming.fill(raw, society.items())
    posts = list(texts.posts(entries, society.people))
    items = (item for one in track(posts, f"{entries:,} entries") for item in items_of(one))
    streaming.fill(raw, items)
    return posts


def _asks(
    name: str, entries: int, viewer: str, searches: dict[str, list[str]]
) -> dict[str, list[Callable[[], object]]]:
    browser = site.Browser(viewer)

    def at(address: str, **asked: str) -> Callable[[], object]:
        page = browser.page(address, query=urlencode(asked))

        def ask() -> object:
            with site.table(name):
                return page()

        return ask

    home = [at("/")] * len(next(iter(searches.values())))
    found = {
        f"{kind}, {entries:,}": [at("/search", tab="posts", q=text) for text in some]
        for kind, some in searches.items()
    }
    return {f"home, {entries:,}": home, **found}


def _measure(
    asks: dict[str, list[Callable[[], object]]], rounds: Rounds, options: argparse.Namespace
) -> None:
    for some in asks.values():  # warms everything up
        for ask in some[:10]:
            ask()
    for _ in track(range(options.rounds), "rounds"):
        taken: dict[str, list[float]] = {name: [] for name in asks}
        for number in range(options.searches):
            for name, some in asks.items():
                began = time.perf_counter()
                some[number]()
                taken[name].append(time.perf_counter() - began)
        for name, seconds in taken.items():
            rounds.note(name, seconds)


# PostgreSQL in place of the index: the same page, with posts from one query.

TABLES = """
    CREATE TABLE person (id text PRIMARY KEY, handle text, name text, bio text, location text, avatar text);
    CREATE TABLE post (
        id text COLLATE "C" PRIMARY KEY, author_id text, content text, likes integer,
        said tsvector GENERATED ALWAYS AS (to_tsvector('simple', content)) STORED
    );
"""
INDEX = "CREATE INDEX ON post USING gin (said); ANALYZE"
FIND = f"""
    SELECT post.id, content, likes, person.* FROM post JOIN person ON person.id = author_id
    WHERE said @@ to_tsquery('simple', %s) ORDER BY post.id DESC LIMIT {PAGE_SIZE + 1}
"""


@contextmanager
def _peer(
    society: Society, posts: Sequence[Written]
) -> Iterator[Callable[[Callable[[], object]], Callable[[], object]] | None]:
    """What lets PostgreSQL answer while something is asked; None where it is not installed."""
    try:
        with running() as folder:
            import psycopg

            with psycopg.connect(f"host={folder} user=postgres", autocommit=True) as connection:
                _fill_peer(connection, society, posts)

                def search(asked: Asked, *, viewer: Viewer, **_: Any) -> Hits:
                    return _from_rows(_rows(connection, asked), asked, viewer)

                def instead(ask: Callable[[], object]) -> Callable[[], object]:
                    def answered() -> object:
                        with patch("finding.views.search_posts", search):
                            return ask()

                    return answered

                yield instead
    except Missing:
        yield None


def _fill_peer(connection: Any, society: Society, posts: Sequence[Written]) -> None:
    people = {one.author_id for one in posts}
    infos = (
        UserInfo.from_raw_data(raw) for raw in society.items() if raw["type"]["S"] == "UserInfo"
    )
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        with cursor.copy("COPY person FROM STDIN") as copy:
            for info in infos:
                if info.user_id in people:
                    said = (info.bio, info.location, avatar_of(info.user_id))
                    copy.write_row((info.user_id, info.handle, info.name, *said))
        with cursor.copy("COPY post (id, author_id, content, likes) FROM STDIN") as copy:
            for one in posts:
                copy.write_row((one.post_id, one.author_id, one.content, one.likes))
        cursor.execute(INDEX)


def _rows(connection: Any, asked: Asked) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = connection.execute(FIND, [" & ".join(asked.words)]).fetchall()
    return rows


def _from_rows(rows: Sequence[tuple[Any, ...]], asked: Asked, viewer: Viewer) -> Hits:
    cards = []
    for post_id, content, likes, *author in rows[:PAGE_SIZE]:
        fields = ("id", "handle", "name", "bio", "location", "avatar")
        person = SimpleNamespace(**dict(zip(fields, author, strict=True)))
        counts = {"likes": likes, "replies": 0, "reposts": 0, "photos": (), "audience": ""}
        row = SimpleNamespace(id=post_id, author=person, content=content, liked=False, **counts)
        cards.append(marked_in(post_card(row, viewer), asked))
    return Hits(cards, "next" if len(rows) > PAGE_SIZE else None)


def bounds_of(rounds: Rounds, sizes: Sequence[int]) -> list[Bound]:
    bounds = []
    for kind in KINDS:
        for entries in sizes:
            name, home = f"{kind}, {entries:,}", f"home, {entries:,}"
            said = spread(rounds.ratios(name, home))
            value = rounds.ratio(name, home)
            bounds.append(Bound(f"{name} entries, p95 / home", value, "≤", MOST_RATIO, rounds=said))
        low, high = (f"{kind}, {entries:,}" for entries in (sizes[0], sizes[-1]))
        if low != high:
            value, said = rounds.ratio(high, low), spread(rounds.ratios(high, low))
            bounds.append(Bound(f"{kind}, p95 large / small", value, "≤", MOST_GROWTH, rounds=said))
        if f"{PEER}{kind}" in rounds.taken:
            value = rounds.ratio(high, f"{PEER}{kind}")
            said = spread(rounds.ratios(high, f"{PEER}{kind}"))
            bounds.append(Bound(f"{kind}, p95 / PostgreSQL", value, "≤", rounds=said))
    return bounds


def _table(rounds: Rounds) -> Table:
    made = Table("page", "p50 ms", "p95 ms", title="Search")
    for name, each in rounds.taken.items():
        taken = [seconds for one in each for seconds in one]
        made.add_row(name, *(f"{1000 * percentile(taken, one):.1f}" for one in (50, 95)))
    return made


if __name__ == "__main__":
    sys.exit(main())

"""What does it cost when everyone likes one post? `python -m benchmarks.hot_post [--rounds N]`

Several clients like as fast as they can: one post, one whose likes are spread over shards, or five hundred posts in
turn. Everything is measured in one run, in turn; the exit status is 1 if a limit is passed. See docs/performance.md.
"""

import argparse
import itertools
import os
import random
import statistics
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import django
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from accounts.people.viewer import Viewer  # noqa: E402
from benchmarks import streaming  # noqa: E402
from benchmarks.bounds import Bound, conclude, percentile, spread  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from feed.likes.reads import (  # noqa: E402
    SHARDS,
    get_like_count,
)
from feed.likes.writes import like_post  # noqa: E402
from feed.posts.models import LikeCount, Post  # noqa: E402
from socialsite import keys  # noqa: E402
from socialsite.streams.shards import Stream  # noqa: E402
from socialsite.streams.worker import (  # noqa: E402
    bulk_load,
    start_in_thread,
)
from socialsite.table import ids  # noqa: E402

CLIENTS = 4
SECONDS = 4
POSTS = 500  # that take the likes in turn where they are not hot
PATIENCE = 30  # seconds for the worker to count what is left
PER_SECOND = 5  # writes of one counter


@dataclass(frozen=True, slots=True)
class Target:
    """Which posts take the likes of a period, and how many each took."""

    posts: list[str]
    shards: int = 0
    likes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Period:
    """What the clients saw: milliseconds for each like, likes a second."""

    milliseconds: list[float]
    rate: float


def main() -> int:
    options = _options()
    console = Console()
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    periods: dict[str, list[Period]] = defaultdict(list)
    writes: list[float] = []
    with (
        streaming.engine() as engine,
        Progress(*columns, console=console, transient=True) as progress,
    ):
        raw = RawClient(engine.url)
        task = progress.add_task("Measuring", total=3 * (options.rounds + 1))
        author = ids.new_id()
        ways = _ways(raw, author, options.rounds + 1)
        thread, stop = start_in_thread()
        try:
            for number in range(options.rounds + 1):
                for name in random.sample(list(ways), len(ways)):
                    target = ways[name][number]
                    period = _like(target, author)
                    _wait_until_counted(target)
                    if number:  # the first round warms up
                        periods[name].append(period)
                    progress.advance(task)
        finally:
            stop.set()
            thread.join()
        written = _counter_writes()
        for name in ("one post", "one post, shards"):
            hot = [target.posts[0] for target in ways[name][1:]]
            writes += [written[keys.like_count(post_id).pk] / SECONDS for post_id in hot]
    bounds = _bounds(periods, writes)
    return conclude(console, bounds, _table(periods))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hot_post", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2")
    return options


def _ways(raw: RawClient, author: str, rounds: int) -> dict[str, list[Target]]:
    """Posts for every round, put behind the worker's back: they have no followers to reach."""
    made: dict[str, list[Target]] = defaultdict(list)
    with bulk_load() as keep:
        for _ in range(rounds):
            made["one post"].append(Target([ids.new_id()]))
            made["one post, shards"].append(Target([ids.new_id()], shards=SHARDS))
            made["500 posts"].append(Target([ids.new_id() for _ in range(POSTS)]))
        for target in itertools.chain(*made.values()):
            for post_id in target.posts:
                post = Post.new(post_id=post_id, author_id=author, content="Like me")
                streaming.fill(raw, [post, LikeCount.new(post_id=post_id)])
            keep()
    return made


def _like(target: Target, author: str) -> Period:
    """All clients like, each as someone new every time, until the time is over."""
    until = time.perf_counter() + SECONDS
    posts = itertools.cycle(target.posts)
    turn = threading.Lock()

    def client(_: int) -> list[tuple[str, float]]:
        return list(_likes(until, next_post, target.shards, author))

    def next_post() -> str:
        with turn:
            return next(posts)

    with ThreadPoolExecutor(CLIENTS) as pool:
        made = list(itertools.chain(*pool.map(client, range(CLIENTS))))
    target.likes.update(post_id for post_id, _ in made)
    return Period([milliseconds for _, milliseconds in made], len(made) / SECONDS)


def _likes(
    until: float, next_post: Callable[[], str], shards: int, author: str
) -> Iterator[tuple[str, float]]:
    while (began := time.perf_counter()) < until:
        post_id = next_post()
        like_post(by=Viewer(ids.new_id()), post_id=post_id, author_id=author, shards=shards)
        yield post_id, (time.perf_counter() - began) * 1000


def _wait_until_counted(target: Target) -> None:
    """Every like must be counted, and once: else the figures say nothing."""
    until = time.perf_counter() + PATIENCE
    for post_id, likes in target.likes.items():
        while (count := get_like_count(post_id)) != likes:
            if time.perf_counter() > until or count > likes:
                raise RuntimeError(f"{likes} likes were counted as {count}")
            time.sleep(0.05)


def _counter_writes() -> Counter[str]:
    """How often each count was written, as the stream tells."""
    written: Counter[str] = Counter()
    stream = Stream()
    for shard in stream.shards():
        iterator: str | None = stream.iterator(shard.shard_id, "")
        while iterator:
            records, iterator = stream.read(iterator)
            if not records:
                break
            written.update(
                record["dynamodb"]["Keys"]["PK"]["S"]
                for record in records
                if record["eventName"] == "MODIFY"
            )
    return written


def _bounds(periods: dict[str, list[Period]], writes: list[float]) -> list[Bound]:
    worst = {
        name: [percentile(period.milliseconds, 99) for period in of_name]
        for name, of_name in periods.items()
    }
    bounds = [
        Bound(
            "writes of the hot counter a second",
            max(writes),
            "≤",
            PER_SECOND,
            rounds=spread(writes),
        )
    ]
    for name in ("one post", "one post, shards"):
        ratios = [hot / cold for hot, cold in zip(worst[name], worst["500 posts"], strict=True)]
        title = f"p99 of a like, {name} / 500 posts"
        bounds.append(Bound(title, statistics.median(ratios), "≤", goal=1.5, rounds=spread(ratios)))
    return bounds


def _table(periods: dict[str, list[Period]]) -> Table:
    made = Table(
        *("likes of", "likes a second", "ms p50", "ms p99"),
        title=f"{CLIENTS} clients, {SECONDS} seconds each, every like counted once",
    )
    for name, of_name in periods.items():
        times = [milliseconds for period in of_name for milliseconds in period.milliseconds]
        rate = statistics.median(period.rate for period in of_name)
        shown = rate, percentile(times, 50), percentile(times, 99)
        made.add_row(name, *(f"{figure:.0f}" for figure in shown))
    return made


if __name__ == "__main__":
    sys.exit(main())

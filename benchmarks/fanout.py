"""What does a fan-out cost, and whom does it hold up? `python -m benchmarks.fanout [--rounds N]`

Everything is measured in one run, in turn; the exit status is 1 if a limit is passed. See docs/performance.md.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import django
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from accounts.people.viewer import Viewer  # noqa: E402
from accounts.sessions import today  # noqa: E402
from benchmarks import streaming  # noqa: E402
from benchmarks.bounds import Bound, conclude, percentile, spread  # noqa: E402
from benchmarks.data import Society  # noqa: E402
from benchmarks.freshness import freshness, job_is_open  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from benchmarks.site import Browser  # noqa: E402
from benchmarks.variants import MAIN  # noqa: E402
from socialsite.streams.worker import (  # noqa: E402
    bulk_load,
    start_in_thread,
)

FOLLOWERS = 5_000
MANY = 10_000
FEW = 200
PAGES = 60
POSTS = 20
CALLS = 1, 2, 4  # that a fan-out keeps under way
CONNECTIONS = 1, 4  # to the engine, for what was made beforehand
READING = "followers read"

Figures = dict[str, list[float]]


class Cast:
    """Three authors with 10,000, 5,000 and 200 followers, and a viewer with a page of twenty posts."""

    def __init__(self, raw: RawClient) -> None:
        self.followers, followers_items = streaming.people(MANY)
        reached, few = self.followers[:FOLLOWERS], self.followers[::50]
        self.star, star_items = streaming.author("star", self.followers, seen=today())
        self.known, known_items = streaming.author("known", reached, seen=today())
        self.old, old_items = streaming.author("old", reached)  # edges from before they had a day
        self.bob, bob_items = streaming.author("bob", few, seen=today())
        society = Society()
        self.viewer_id = society.viewers[MAIN]
        with bulk_load() as keep:
            edges = star_items, known_items, old_items, bob_items
            for items in (followers_items, *edges, society.items()):
                streaming.fill(raw, items)
                keep()


def main() -> int:
    options = _options()
    console = Console()
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with (
        streaming.engine() as engine,
        Progress(*columns, console=console, transient=True) as progress,
    ):
        settings.PULL_ABOVE = 10 * MANY  # this benchmark's posts are all fanned out
        task = progress.add_task("Measuring", total=2 * options.rounds + 3)
        cast = Cast(RawClient(engine.url))
        progress.advance(task)
        rates: Figures = defaultdict(list)
        for _ in range(options.rounds):
            _measure_rates(engine.url, cast, rates)
            progress.advance(task)
        pages: Figures = defaultdict(list)
        for _ in range(options.rounds):
            _measure_pages(engine.url, cast, pages)
            progress.advance(task)
        with bulk_load():
            pass  # the entries that were written above are no news for the worker
        ages = _measure_freshness(engine.url, cast)
    bounds = [*_rate_bounds(rates), *_page_bounds(pages), *_freshness_bounds(ages)]
    tables = _rate_table(rates), _page_table(pages), _age_table(ages)
    return conclude(console, bounds, *tables)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fanout", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2")
    return options


def _measure_rates(url: str, cast: Cast, rates: Figures) -> None:
    """All ways once, in another order each round, as some leave work behind for the next."""
    reached, author = cast.followers[:FOLLOWERS], cast.known.user_id
    write = partial(streaming.write_prepared, url, reached, author)
    fan_out = partial(streaming.fan_out, author)
    ways = {f"engine, {n} connections": partial(write, connections=n) for n in CONNECTIONS}
    ways |= {f"job, {n} at once": partial(fan_out, at_once=n) for n in CALLS}
    ways["job, 1 at once, old edges"] = partial(streaming.fan_out, cast.old.user_id, at_once=1)
    ways[READING] = partial(streaming.read_edges, url, author)
    for name in random.sample(list(ways), len(ways)):
        rates[name].append(FOLLOWERS / ways[name]())


def _measure_pages(url: str, cast: Cast, pages: Figures) -> None:
    """The median page of a round, alone and beside a process that fans out."""
    ask = Browser(cast.viewer_id).page("/")
    ways = (0, *CALLS)
    for calls in random.sample(ways, len(ways)):
        with _beside(url, cast.star, calls):
            times = []
            for _ in range(PAGES):
                began = time.perf_counter()
                ask()
                times.append((time.perf_counter() - began) * 1000)
        pages[_busy(calls)].append(statistics.median(times[5:]))


def _busy(calls: int) -> str:
    return f"{calls} at once" if calls else "idle"


@contextmanager
def _beside(url: str, author: Viewer, calls: int) -> Iterator[None]:
    if not calls:
        yield
        return
    told = url, author.user_id, str(calls), str(settings.DATA_DIR)
    command = [sys.executable, "-m", "benchmarks.busy_worker", *told]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as busy:
        assert busy.stdout is not None
        if busy.stdout.readline() != "working\n":
            raise RuntimeError("the process that fans out did not start")
        try:
            time.sleep(0.5)
            yield
        finally:
            busy.terminate()


def _measure_freshness(url: str, cast: Cast) -> Figures:
    """Seconds from posting to being in a follower's timeline, with the worker's thread running."""
    raw, few = RawClient(url), cast.followers[::50]
    thread, stop = start_in_thread()
    try:
        freshness(raw, cast.bob, few)  # warms up
        alone = [age for _ in range(POSTS) for age in freshness(raw, cast.bob, few)]
        beside: list[float] = []
        while len(beside) < len(alone):
            if not job_is_open():
                freshness(raw, cast.star, [])
                while not job_is_open():
                    time.sleep(0.01)
            beside += freshness(raw, cast.bob, few)
    finally:
        stop.set()
        thread.join()
    return {"alone": alone, "beside a job": beside}


def _rate_bounds(rates: Figures) -> list[Bound]:
    limits = [max(pair) for pair in zip(*_of(rates, "engine"), strict=True)]
    both = zip(limits, rates[READING], strict=True)
    read_too = [1 / (1 / written + 1 / read) for written, read in both]

    def bound(calls: int, must: float | None, most: Sequence[float], words: str = "") -> Bound:
        pairs = zip(rates[f"job, {calls} at once"], most, strict=True)
        ratios = [rate / limit for rate, limit in pairs]
        name = f"fan-out, {calls} at once / what the engine takes{words}"
        return Bound(name, statistics.median(ratios), "≥", must, 0.9, spread(ratios))

    bounds = [bound(1, 0.45, limits), bound(2, None, limits), bound(4, 0.45, limits)]
    words = ", followers read too"
    return [*bounds, *(bound(calls, None, read_too, words) for calls in CALLS)]


def _page_bounds(pages: Figures) -> list[Bound]:
    bounds = []
    for calls, must in ((1, 1.5), (2, None), (4, 1.5)):
        pairs = zip(pages[_busy(calls)], pages["idle"], strict=True)
        ratios = [busy / idle for busy, idle in pairs]
        name = f"page beside a fan-out, {calls} at once / alone"
        bounds.append(Bound(name, statistics.median(ratios), "≤", must, 1.15, spread(ratios)))
    return bounds


def _freshness_bounds(ages: Figures) -> list[Bound]:
    alone, beside = ages["alone"], ages["beside a job"]
    return [
        Bound(
            f"seconds until {FEW} followers have a post, p95", percentile(alone, 95), "≤", goal=1
        ),
        *(
            Bound(
                f"the same beside a job of {MANY:,} / alone, p{percent}",
                percentile(beside, percent) / percentile(alone, percent),
                "≤",
                goal=1.5,
            )
            for percent in (50, 95)
        ),
    ]


def _of(rates: Figures, kind: str) -> list[Sequence[float]]:
    return [figures for name, figures in rates.items() if name.startswith(kind)]


def _rate_table(rates: Figures) -> Table:
    made = Table("entries a second", "median", "rounds", title=f"{FOLLOWERS:,} entries each")
    for name, figures in sorted(rates.items()):
        low, high = min(figures), max(figures)
        made.add_row(name, f"{statistics.median(figures):,.0f}", f"{low:,.0f} to {high:,.0f}")
    return made


def _page_table(pages: Figures) -> Table:
    made = Table("ms for a page", "median", "rounds", title="The home page beside a fan-out")
    for name, figures in sorted(pages.items()):
        made.add_row(name, f"{statistics.median(figures):.0f}", spread(figures))
    return made


def _age_table(ages: Figures) -> Table:
    made = Table("seconds until visible", "p50", "p95", "worst", title=f"Posts to {FEW} followers")
    for name, figures in ages.items():
        shown = percentile(figures, 50), percentile(figures, 95), max(figures)
        made.add_row(name, *(f"{seconds:.2f}" for seconds in shown))
    return made


if __name__ == "__main__":
    sys.exit(main())

"""How many home pages a second? `python -m benchmarks.requests [--rounds N] [--posts N]`

The site on its engine, and a good Django site with PostgreSQL (`benchmarks/peer/`): the same people, posts, cards,
middleware and servers. Both run all the time, one is asked at a time, in a new order each round. See
docs/performance.md. Says what is missing where PostgreSQL is not installed.
"""

import argparse
import os
import pickle
import random
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import django
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from benchmarks import site, streaming  # noqa: E402
from benchmarks.behind_proxy import SERVERS, behind_proxy  # noqa: E402
from benchmarks.bounds import Bound, conclude, percentile, spread  # noqa: E402
from benchmarks.crowd import BUSY, SLEEPY, Crowd  # noqa: E402
from benchmarks.load import Asked, check_refusals, first_page, load, request_for  # noqa: E402
from benchmarks.peer.engine import Missing, running  # noqa: E402
from benchmarks.processes import family_of, seconds_of  # noqa: E402
from benchmarks.production import collect_static, environment  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from socialsite.table import PAGE_SIZE  # noqa: E402
from socialsite.table.connection import table_name  # noqa: E402

POSTS = 200_000
# Short turns, many rounds: a shared machine may have half its speed a few seconds later.
SECONDS, WARM_SECONDS = 1.0, 0.3
PEER = {"DJANGO_SETTINGS_MODULE": "benchmarks.peer.settings"}
REDRAWING = {"PEER_REDRAWS": "1"}
OURS = "the site"
SHOWN = re.compile(r'<article[^>]*id="post-(\w+)"')


@dataclass(frozen=True, slots=True)
class Way:
    """A page of one of the servers, for one of the readers."""

    reader: str
    address: str = "/"
    is_peer: bool = True
    redraws: bool = False  # as the site did before it kept cards and the frame of pages


WAYS = {
    OURS: Way(BUSY, is_peer=False),
    "pull, plain templates": Way(BUSY, "/pull/by/plain"),
    "pull, the site's templates": Way(BUSY, "/pull/by/django"),
    "pull, the site's templates, nothing kept": Way(BUSY, "/pull/by/django", redraws=True),
    "fan-out table, plain templates": Way(BUSY, "/fanned/by/plain"),
    "fan-out table, the site's templates": Way(BUSY, "/fanned/by/django"),
    f"{OURS}, quiet": Way(SLEEPY, is_peer=False),
    "pull, plain templates, quiet": Way(SLEEPY, "/pull/by/plain"),
    "LATERAL, plain templates, quiet": Way(SLEEPY, "/lateral/by/plain"),
    "LATERAL, plain templates": Way(BUSY, "/lateral/by/plain"),
}
# What is held against what, and the goal of the present issue.
RATIOS = (
    (OURS, "pull, plain templates", 2.5),
    (OURS, "pull, the site's templates", 1.0),
    (OURS, "pull, the site's templates, nothing kept", 1.2),
    (OURS, "fan-out table, plain templates", None),
    (OURS, "fan-out table, the site's templates", None),
    (f"{OURS}, quiet", "pull, plain templates, quiet", 4.0),
    (f"{OURS}, quiet", "LATERAL, plain templates, quiet", None),
    (OURS, "LATERAL, plain templates", None),
)


def main() -> int:
    options = _options()
    console = Console()
    try:
        with ExitStack() as stack, Progress(console=console, transient=True) as progress:
            asks, families = _started(stack, progress, options.posts)
            rounds, costs = _measure(asks, families, options.rounds, progress)
            for name, turns in rounds.items():
                check_refusals(name, turns)
    except Missing as missing:
        console.print(str(missing))
        return 1
    return conclude(console, [*_bounds(rounds), *_cost_bounds(costs)], _table(rounds, costs))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.requests", description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="how often each is measured")
    parser.add_argument("--posts", type=int, default=POSTS, help=f"on both sides, {POSTS:,} else")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2")
    return options


def _started(
    stack: ExitStack, progress: Progress, posts: int
) -> tuple[dict[str, Callable[[float], Asked]], dict[str, list[int]]]:
    """Both servers on the same people and posts: what asks each of their pages for so many seconds, and the processes
    of the server and the database of each."""
    cluster = stack.enter_context(running())
    engine = stack.enter_context(site.engine())
    folder = Path(settings.DATA_DIR)
    crowd = Crowd(posts)
    _fill_table(crowd, RawClient(engine.url), progress)
    static_root = collect_static(folder / "production")
    peer = PEER | {"PEER_SOCKET": str(cluster)}
    _fill_peer(crowd, folder / "crowd", environment(static_root) | peer)
    ports = {
        (False, False): stack.enter_context(behind_proxy(static_root)),
        (True, False): stack.enter_context(behind_proxy(static_root, **peer)),
        (True, True): stack.enter_context(behind_proxy(static_root, **peer, **REDRAWING)),
    }
    cookies = {name: site.Browser(user_id).cookie for name, user_id in crowd.readers.items()}
    for name, way in WAYS.items():
        request = request_for(way.address, cookies[way.reader], encoding="identity")
        _check(name, first_page(ports[way.is_peer, way.redraws], request), crowd, way.reader)
    database = int((cluster / "data" / "postmaster.pid").read_text().split()[0])
    asks: dict[str, Callable[[float], Asked]] = {}
    families = {}
    for name, way in WAYS.items():
        port = ports[way.is_peer, way.redraws]
        asks[name] = partial(load, port, request_for(way.address, cookies[way.reader]))
        families[name] = [SERVERS[port], database if way.is_peer else engine.process.pid]
    return asks, families


def _fill_table(crowd: Crowd, raw: RawClient, progress: Progress) -> None:
    site.make_table(table_name())
    items = list(crowd.items())
    task = progress.add_task("Writing items", total=len(items))
    for start in range(0, len(items), 1000):
        streaming.fill(raw, items[start : start + 1000])
        progress.advance(task, 1000)


def _fill_peer(crowd: Crowd, file: Path, given: dict[str, str]) -> None:
    file.write_bytes(pickle.dumps(crowd))
    command = [sys.executable, "-m", "benchmarks.peer.filling", str(file)]
    subprocess.run(command, cwd=settings.BASE_DIR, env=given, check=True)


def _check(name: str, page: str, crowd: Crowd, reader: str) -> None:
    """All ways must show the same twenty posts, else their rates say nothing."""
    newest = crowd.timeline(crowd.readers[reader])[: -PAGE_SIZE - 1 : -1]
    if SHOWN.findall(page) != [post.post_id for post in newest]:
        raise RuntimeError(f"{name} does not show the newest posts")


def _measure(
    asks: dict[str, Callable[[float], Asked]],
    families: dict[str, list[int]],
    rounds: int,
    progress: Progress,
) -> tuple[dict[str, list[Asked]], dict[str, list[float]]]:
    """Asks in turn. Beside the answers stand the milliseconds of processors that a page took, of server and database:
    other work on the machine changes these far less than the pages a second."""
    found: dict[str, list[Asked]] = defaultdict(list)
    costs: dict[str, list[float]] = defaultdict(list)
    task = progress.add_task("Measuring", total=rounds * len(asks))
    for _ in range(rounds):
        for name in random.sample(list(asks), len(asks)):
            asks[name](WARM_SECONDS)
            family = family_of(*families[name])
            before = seconds_of(family)
            found[name].append(asks[name](SECONDS))
            pages = max(1, len(found[name][-1].milliseconds))
            costs[name].append((seconds_of(family) - before) * 1000 / pages)
            progress.advance(task)
    return found, costs


def _bounds(rounds: dict[str, list[Asked]]) -> list[Bound]:
    bounds = []
    for ours, theirs, goal in RATIOS:
        pairs = zip(rounds[ours], rounds[theirs], strict=True)
        ratios = [one.rate / other.rate for one, other in pairs]
        name = f"pages a second, {ours} / {theirs}"
        bounds.append(Bound(name, statistics.median(ratios), "≥", goal=goal, rounds=spread(ratios)))
    return bounds


def _cost_bounds(costs: dict[str, list[float]]) -> list[Bound]:
    bounds = []
    for ours, theirs, _goal in RATIOS:
        ratios = [one / other for one, other in zip(costs[theirs], costs[ours], strict=True)]
        name = f"processor time of a page, {theirs} / {ours}"
        bounds.append(Bound(name, statistics.median(ratios), "≥", rounds=spread(ratios)))
    return bounds


def _table(rounds: dict[str, list[Asked]], costs: dict[str, list[float]]) -> Table:
    heads = ("page", "a second", "rounds", "ms p50", "ms p99", "ms of processors")
    made = Table(*heads, title="Home pages a second")
    for name in WAYS:
        rates = [one.rate for one in rounds[name]]
        times = [each for one in rounds[name] for each in one.milliseconds]
        made.add_row(
            name,
            f"{statistics.median(rates):.0f}",
            spread(rates),
            *(f"{percentile(times, percent):.0f}" for percent in (50, 99)),
            f"{statistics.median(costs[name]):.1f}",
        )
    return made


if __name__ == "__main__":
    sys.exit(main())

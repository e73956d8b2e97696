"""How many pages are left when more is asked for than the site can answer? `python -m benchmarks.overload [--rounds N]`

As many connections as the server has threads keep it busy: that is what it can answer. Then ten times as many, and a
thousand, ask for the same page, each again as soon as it has it, and a second after an answer that said busy. All three
take turns. The clients share the processors with the site, so its pages are counted by its own processor time too.
"""

import argparse
import os
import random
import statistics
import sys
from collections import defaultdict
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
from benchmarks.data import Society  # noqa: E402
from benchmarks.load import CONNECTIONS, Asked, first_page, load, request_for  # noqa: E402
from benchmarks.processes import family_of, seconds_of  # noqa: E402
from benchmarks.production import collect_static  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from benchmarks.variants import MAIN  # noqa: E402
from socialsite.table.connection import table_name  # noqa: E402

SECONDS, WARM_SECONDS = 6.0, 2.0
AFTER_REFUSAL = 1.0  # seconds until a page asks again
LOADS = (CONNECTIONS, 10 * CONNECTIONS, 1_000)
GOAL = 0.8
Turn = tuple[Asked, float]  # with the seconds of the site's processes


def main() -> int:
    options = _options()
    console = Console()
    turns: dict[int, list[Turn]] = defaultdict(list)
    with site.engine() as engine, Progress(console=console, transient=True) as progress:
        society = Society()
        site.make_table(table_name())
        streaming.fill(RawClient(engine.url), society.items())
        request = request_for("/", site.Browser(society.viewers[MAIN]).cookie, encoding="gzip")
        static_root = collect_static(Path(settings.DATA_DIR) / "production")
        # As in production: other benchmarks let a page wait longer for the table.
        with behind_proxy(static_root, DYNAMODB_WEB_SECONDS="0.9") as port:
            first_page(port, request)
            task = progress.add_task("Measuring", total=options.rounds * len(LOADS))
            for _ in range(options.rounds):
                for connections in random.sample(LOADS, len(LOADS)):
                    turns[connections].append(_turn(port, request, connections, engine.process.pid))
                    progress.advance(task)
    return conclude(console, _bounds(turns), _table(turns))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overload", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    return parser.parse_args()


def _turn(port: int, request: bytes, connections: int, engine: int) -> Turn:
    load(port, request, WARM_SECONDS, connections=CONNECTIONS)
    family = family_of(SERVERS[port], engine)
    before = seconds_of(family)
    asked = load(port, request, SECONDS, connections=connections, after_refusal=AFTER_REFUSAL)
    return asked, seconds_of(family) - before


def _bounds(turns: dict[int, list[Turn]]) -> list[Bound]:
    bounds = []
    for connections in LOADS[1:]:
        pairs = list(zip(turns[connections], turns[CONNECTIONS], strict=True))
        by_time = [one.rate / other.rate for (one, _), (other, _) in pairs]
        by_work = [_by_work(one) / _by_work(other) for one, other in pairs]
        name = f"{connections} connections / {CONNECTIONS}"
        for what, ratios in (("pages a second", by_time), ("pages by the site's work", by_work)):
            told = Bound(
                f"{what}, {name}", statistics.median(ratios), "≥", goal=GOAL, rounds=spread(ratios)
            )
            bounds.append(told)
    return bounds


def _by_work(turn: Turn) -> float:
    """Returns the pages for each second of the site's processors."""
    asked, worked = turn
    return len(asked.milliseconds) / worked


def _table(turns: dict[int, list[Turn]]) -> Table:
    heads = (
        "connections",
        "answers a second",
        "pages a second",
        "ms p50",
        "ms p99",
        "busy after ms, p99",
    )
    made = Table(*heads, title="Home pages a second")
    for connections in LOADS:
        of_it = [asked for asked, _ in turns[connections]]
        pages = [each for one in of_it for each in one.milliseconds]
        refused = [each for one in of_it for each in one.refused_after]
        answers = sum(len(one.milliseconds) + one.refused for one in of_it) / sum(
            one.seconds for one in of_it
        )
        made.add_row(
            str(connections),
            f"{answers:.0f}",
            f"{statistics.median(one.rate for one in of_it):.0f}",
            *(f"{percentile(pages, percent):.0f}" for percent in (50, 99)),
            f"{percentile(refused, 99):.0f}" if len(refused) > 1 else "",
        )
    return made


if __name__ == "__main__":
    sys.exit(main())

"""What does the home timeline cost? `python -m benchmarks.timeline [--large] [--rounds N]`

Everything is measured in one run, in turn; the exit status is 1 if a limit is passed. See docs/performance.md.
"""

import argparse
import os
import sys
from collections import defaultdict

import django
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from benchmarks import site  # noqa: E402
from benchmarks.bounds import conclude  # noqa: E402
from benchmarks.data import Society, batches  # noqa: E402
from benchmarks.measuring import Action, Rounds, Sample, Stopwatch, interleave  # noqa: E402
from benchmarks.raw_client import BATCH_WRITE_LIMIT, RawClient  # noqa: E402
from benchmarks.report import bounds_of, card_table, cost_table  # noqa: E402
from benchmarks.variants import LARGE_TABLE, TABLE, actions, costs  # noqa: E402

ITEMS = 10_000
LARGE_ITEMS = 1_000_000
TIMES = 5  # pages of a kind in a round


def main() -> int:
    options = _options()
    console = Console()
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with site.engine() as engine, Progress(*columns, console=console, transient=True) as progress:
        society, raw = Society(), RawClient(engine.url)
        _fill(TABLE, ITEMS, society, raw, progress)
        if options.large:
            _fill(LARGE_TABLE, LARGE_ITEMS, society, raw, progress)
        with site.table(TABLE):
            found = costs(society)
            ways = actions(society, raw, large=options.large)
            watch = Stopwatch(engine.process.pid)
            rounds = _measure(watch, ways, options.rounds, progress)
        parts = [cost_table(rounds, found), card_table()]
    bounds = bounds_of(rounds, found)
    return conclude(console, bounds, *parts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.timeline", description=__doc__)
    parser.add_argument(
        "--large", action="store_true", help=f"also with {LARGE_ITEMS:,} items (takes 6 minutes)"
    )
    parser.add_argument("--rounds", type=int, default=40, help="how often each page is measured")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2")
    return options


def _fill(table: str, count: int, society: Society, raw: RawClient, progress: Progress) -> None:
    site.make_table(table)
    task = progress.add_task(f"Writing {count:,} items", total=count)
    written = 0
    for items in (society.items(), society.strangers()):
        for batch in batches(items, BATCH_WRITE_LIMIT):
            if written >= count:
                break
            raw.write(table, batch)
            written += len(batch)
            progress.update(task, completed=written)


def _measure(watch: Stopwatch, ways: dict[str, Action], rounds: int, progress: Progress) -> Rounds:
    collected: dict[str, list[Sample]] = defaultdict(list)
    task = progress.add_task("Measuring", total=rounds)
    for samples in interleave(watch, ways, rounds=rounds, times=TIMES):
        for name, sample in samples.items():
            collected[name].append(sample)
        progress.advance(task)
    return collected


if __name__ == "__main__":
    sys.exit(main())

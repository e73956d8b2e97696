"""`manage.py patterns HANDLE`: the seven access patterns of the published model on live data, with their requests.

With `--times` it asks them so many times in turn, and prints how long they took on the table that the site is set up
with: an engine of this machine, or Amazon's.
"""

import io
import json
from collections.abc import Iterable
from math import ceil
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from lens.published_patterns import Ran, run_seven
from operations.management.command_errors import command_errors
from socialsite.table import NotFound


class Command(BaseCommand):
    help = "Runs the seven access patterns of the published model for a person, and prints what each asks and costs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("handle")
        parser.add_argument(
            "--json", action="store_true", help="print requests and items too, as JSON"
        )
        parser.add_argument(
            "--times", type=int, default=1, help="ask so many times, and print p50 and p99 (1)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        handle = options["handle"].removeprefix("@").lower()
        with command_errors():
            try:
                rounds = [run_seven(handle) for _ in range(max(1, options["times"]))]
            except NotFound as error:
                sentence = f"No account has the handle {handle}. Check the spelling."
                raise CommandError(sentence) from error
        if options["json"]:
            told = [_as_json(one) for one in rounds[-1]]
            self.stdout.write(json.dumps(told, indent=2, default=_text))
        else:
            self.stdout.write(_table_of(rounds))


def _as_json(one: Ran) -> dict[str, Any]:
    return {
        "name": one.name,
        "number": one.number,
        "request": one.request,
        "items": one.items,
        "units": one.units,
        "ms": round(one.milliseconds, 2),
        "more": one.more,
    }


def _text(value: Any) -> str:
    """Returns a binary value, which JSON does not have, by its length: nobody reads what is sealed."""
    return f"{len(value)} bytes"


def _table_of(rounds: list[list[Ran]]) -> str:
    took = ("ms",) if len(rounds) == 1 else ("own call: p50", "p99", "all calls: p50", "p99 ms")
    table = Table("#", "pattern", "calls", "items", "R", *took)
    for times in _by_pattern(rounds):
        one = times[-1]
        calls = ", ".join(call.operation for call in one.calls)
        cells = (one.number, one.name, calls, len(one.items), f"{one.units:g}")
        table.add_row(*map(str, cells), *_times_of(times))
    console = Console(record=True, file=io.StringIO(), width=120)
    console.print(table)
    return console.export_text()


def _by_pattern(rounds: list[list[Ran]]) -> list[list[Ran]]:
    """Returns what each pattern did, round after round. A post may come or go meanwhile, and patterns with it."""
    return [[one for ran in rounds for one in ran if one.name == last.name] for last in rounds[-1]]


def _times_of(times: list[Ran]) -> list[str]:
    every = [one.milliseconds for one in times]
    if len(times) == 1:
        return [f"{every[0]:.1f}"]
    own = [one.calls[0].milliseconds for one in times]
    return [f"{_percentile(of, percent):.1f}" for of in (own, every) for percent in (50, 99)]


def _percentile(values: Iterable[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[ceil(len(ordered) * percent / 100) - 1]

"""`manage.py patterns HANDLE`: the seven access patterns of the published model on live data, with their requests."""

import io
import json
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

    def handle(self, *args: Any, **options: Any) -> None:
        handle = options["handle"].removeprefix("@").lower()
        with command_errors():
            try:
                ran = run_seven(handle)
            except NotFound as error:
                sentence = f"No account has the handle {handle}. Check the spelling."
                raise CommandError(sentence) from error
        if options["json"]:
            self.stdout.write(json.dumps([_as_json(one) for one in ran], indent=2, default=_text))
        else:
            self.stdout.write(_table_of(ran))


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


def _table_of(ran: list[Ran]) -> str:
    table = Table("#", "pattern", "calls", "items", "R", "ms")
    for one in ran:
        calls = ", ".join(call.operation for call in one.calls)
        cells = (
            one.number,
            one.name,
            calls,
            len(one.items),
            f"{one.units:g}",
            f"{one.milliseconds:.1f}",
        )
        table.add_row(*map(str, cells))
    console = Console(record=True, file=io.StringIO(), width=120)
    console.print(table)
    return console.export_text()

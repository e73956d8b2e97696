"""`manage.py audit`: recounts the counters and checks what must always hold.

Reads the whole table, so it is for operators, not for a page. The stream worker counts likes, and followers of widely
followed people. While it lags, these counts may differ for a moment.
"""

import io
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from operations.invariants import Invariants
from operations.management.command_errors import command_errors
from operations.upgrade import DUE, is_upgrade_due
from socialsite.table.reading import scan

SHOWN_PER_INVARIANT = 5


class Command(BaseCommand):
    help = "Checks the invariants of the whole table; exit status 1 if one is broken."

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            results = self._read().results()
            is_due = is_upgrade_due()
        self._print(results)
        broken = sum(len(found) for found in results.values())
        if broken:
            raise CommandError(f"{broken} broken. {DUE if is_due else ''}".rstrip(), returncode=1)

    def _read(self) -> Invariants:
        invariants = Invariants()
        columns = SpinnerColumn(), TextColumn("{task.description} {task.completed:,} items")
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("reading")
            for raw in scan():
                invariants.add(raw)
                progress.advance(task)
        return invariants

    def _print(self, results: dict[str, list[str]]) -> None:
        table = Table("what must hold", "broken", "for example")
        for name, broken in results.items():
            examples = "\n".join(broken[:SHOWN_PER_INVARIANT])
            table.add_row(name, str(len(broken)), examples)
        console = Console(record=True, file=io.StringIO(), width=120)
        console.print(table)
        self.stdout.write(console.export_text())

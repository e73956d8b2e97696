"""`manage.py audit_log`: checks that the audit log is unchanged, and shows it.

Not to be confused with `manage.py audit`, which recounts the table's counters.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from moderation.audit_log.reads import read_month
from moderation.log.chain import MONTH, Head, Walk, read_head
from operations.management.command_errors import command_errors
from socialsite.clock import utc_now_iso


class Command(BaseCommand):
    help = "Checks the chain of the audit log (verify), notes its end (head), or prints a month (show)."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        verify = what.add_parser("verify", help="every entry is there, unaltered, in order")
        verify.add_argument(
            "--head", help="number:hash that was noted before: it must be in the log"
        )
        what.add_parser(
            "head", help="prints the end of the log as number:hash, to be noted elsewhere"
        )
        show = what.add_parser("show", help="prints a month, oldest first")
        show.add_argument("--month", default="", help="such as 2026-11; this month if left out")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        with command_errors():
            match what:
                case "verify":
                    self._verify(options["head"])
                case "head":
                    self._print_head()
                case "show":
                    self._show(options["month"] or utc_now_iso()[:7])

    def _verify(self, noted: str | None) -> None:
        try:
            walk = Walk(Head.parse(noted) if noted else None)
        except ValueError as error:
            raise CommandError("--head is number:hash, as `audit_log head` prints it.") from error
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        console = Console(stderr=True)
        with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
            task = progress.add_task("reading the log", total=None)
            for total in walk.steps():
                progress.update(task, advance=1, total=total)
        for fault in walk.faults:
            self.stdout.write(fault)
        if walk.faults:
            raise CommandError(f"Found {len(walk.faults)} faults in the audit log.", returncode=1)
        self.stdout.write(f"The audit log is whole: {Head(walk.number, walk.hash)}")

    def _print_head(self) -> None:
        head = read_head()
        if head is None:
            raise CommandError("Nothing has been entered in the audit log yet.")
        self.stdout.write(str(head))

    def _show(self, month: str) -> None:
        if not MONTH.fullmatch(month):
            raise CommandError("Write the month as YYYY-MM, such as 2026-11.")
        for line in read_month(month):
            self.stdout.write(line)

"""`manage.py move --to FILE`: takes the site to the place whose settings stand in the file, and back."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from costs.prices import MILLION
from operations.installation.services import InstallationError
from operations.management.command_errors import command_errors
from operations.moving.move import Move, Moved, Plan, make_plan, may_move, stay
from operations.moving.place import MoveError, Place, here, named_by
from socialsite.prices import prices_of

SHOWN_TYPES = 12


class Bars:
    """Says each step on standard error, with a bar for what takes long."""

    def __init__(self, write: Callable[[str], None]) -> None:
        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,}")
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._write = write

    def say(self, text: str) -> None:
        self._write(f"{time.strftime('%H:%M:%S', time.gmtime())} {text}")

    def step(self, title: str) -> Callable[[int], None]:
        for task in self._progress.task_ids:
            self._progress.remove_task(task)
        task = self._progress.add_task(title, total=None)
        return lambda count: self._progress.advance(task, count)

    @contextmanager
    def running(self) -> Iterator["Bars"]:
        with self._progress:
            yield self


class Command(BaseCommand):
    help = "Copies the site to another place while people use it, and with --finish takes it there."
    requires_system_checks = []  # a table that the site has left is none that it could start on

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--to", type=Path, help="a file with the settings of the other place, as NAME=value"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be done and what it costs"
        )
        parser.add_argument(
            "--finish",
            action="store_true",
            help="let the site only be read, copy the rest, compare, and let it live there",
        )
        parser.add_argument(
            "--no-audit",
            action="store_true",
            help="with --finish: leave out `manage.py audit` there",
        )
        parser.add_argument("--message", default="", help="shown to everyone while it is only read")
        parser.add_argument(
            "--stay",
            action="store_true",
            help="the site left this place and lives here again, without what was written there since",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors(MoveError, InstallationError, OSError):
            if options["stay"]:
                stay()
                self.stdout.write(
                    f"The site lives at {here().name} again. Let nothing run at the other place, whose data nobody "
                    "could join with these, then start it."
                )
                return
            if not options["to"]:
                raise CommandError("Name the file with the settings of the other place: --to FILE.")
            there = named_by(options["to"])
            with Bars(self.stderr.write).running() as shown:
                move = Move(there, shown)
                if options["dry_run"]:
                    self._tell(make_plan(there, shown))
                elif move.has_left():
                    self.stdout.write(f"The site lives at {there.name} now.")
                    self._audit(there, options)
                else:
                    may_move(there)
                    self._move(move, options)

    def _move(self, move: Move, options: dict[str, Any]) -> None:
        move.refresh()
        if not options["finish"]:
            self.stdout.write(
                f"What was here a moment ago is in {move.there.name}, which is no site yet. Run the command again as "
                "often as you like; with --finish the site goes there."
            )
            return
        self._tell_moved(move.there, move.finish(message=options["message"]))
        self._audit(move.there, options)
        if late := move.late_writes():
            self.stderr.write("\n".join(late))
            raise CommandError(
                f"{len(late)} items were written here after the copy had ended, by a process that was held up for "
                "long. They are not there."
            )

    def _audit(self, there: Place, options: dict[str, Any]) -> None:
        """Looks through the site there as its own command does. It can be started meanwhile."""
        if options["no_audit"]:
            return
        self.stderr.write("Looking through it there with `manage.py audit` …")
        audited = there.manage("audit")
        if audited.returncode:
            self.stderr.write(audited.stdout)
            raise CommandError(f"The audit there: {audited.stderr.strip().splitlines()[-1]}")
        self.stdout.write("The audit there finds nothing broken.")

    def _tell_moved(self, there: Place, moved: Moved) -> None:
        lines = [
            f"The site lives at {there.name} now. {moved.kinds.total():,} items of {len(moved.kinds)} types are there, "
            f"each as it was here. It has been only read for {moved.closed_seconds:.0f} s.",
            *_by_type(moved.kinds),
            "Now:",
            "1. Stop the processes here. They read alone, and none starts here again.",
            "2. Start the site with the settings of that file. Look around: it is still only read.",
            "3. There, `manage.py read_only off`: people can write again.",
            "To go back, run `manage.py move` there, towards the settings of here.",
        ]
        self.stdout.write("\n".join(lines))

    def _tell(self, plan: Plan) -> None:
        there, size, files = plan.there, plan.size, plan.files
        if plan.refusal:
            self.stdout.write(f"It would be refused. {plan.refusal}")
        lines = [
            f"From {here().name} to {there.name}{'' if plan.has_table else ', whose table would be made'}:",
            f"  {size.items:,} items, {size.bytes:,} bytes",
            *_by_type(size.kinds),
            f"  {files.count:,} files, {files.bytes:,} bytes",
            "It costs",
            f"  there {size.write_units:,} write units and, to compare, {2 * size.read_units:,} read units"
            + _dollars(there, reads=2 * size.read_units, writes=size.write_units),
            f"  here {3 * size.read_units:,} read units or more, one time all items for each pass"
            + _dollars(here(), reads=3 * size.read_units),
            f"  {files.into_buckets:,} files put into buckets"
            + _dollars(there, puts=files.into_buckets),
        ]
        if here().is_amazon:
            lines.append("  and what Amazon asks for traffic out of it, 9 cents a GB")
        wait = settings.SITE_RULES_SECONDS + settings.PAGE_SECONDS
        lines += [
            "With --finish the site is only read for",
            f"  {wait:.0f} s until each process knows, and the time that the worker needs for what waits,",
            f"  {3 * plan.seconds:.0f} s or so to read both tables for the last pass and to compare them,",
            "  and until you have started it there and said `manage.py read_only off`.",
            "What is of processes stays: leases, hosts, markers. Nothing was written.",
        ]
        self.stdout.write("\n".join(lines))


def _by_type(kinds: Counter[str]) -> list[str]:
    shown = kinds.most_common(SHOWN_TYPES)
    rest = kinds.total() - sum(count for _, count in shown)
    lines = [f"  {count:>12,} {kind}" for kind, count in shown]
    return [*lines, f"  {rest:>12,} of {len(kinds) - len(shown)} other types"] if rest else lines


def _dollars(place: Place, *, reads: float = 0, writes: float = 0, puts: float = 0) -> str:
    """Returns what so much costs there, on demand, by the prices of its region."""
    if not (place.is_amazon or puts):
        return ", which cost nothing"
    asked = prices_of(place.region).single
    dollars = (
        reads * asked("read_price") + writes * asked("write_price") + puts * asked("put_price")
    )
    return f": ${dollars / MILLION:.2f}"

"""`manage.py who_asked PATH --since 15:00 < log`: who asks for an address, from a log of the site (docs/runbook.md)."""

import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.who_asked import GROUPS, Asked, NoAddress, NoSuchTime, count_asked, moment_of
from socialsite.clock import utc_now

TOP = 10


class Command(BaseCommand):
    help = "Counts requests for an address by network, account, route, status and method."
    requires_system_checks: list[str] = []  # it reads a log, also while the site is down
    stealth_options = ("stdin",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "address",
            nargs="?",
            default="",
            help="such as /@alice, or a route; all if it is left out",
        )
        parser.add_argument(
            "--log",
            action="append",
            default=[],
            help="a file of the log, as often as there are some; else standard input",
        )
        parser.add_argument("--since", default="00:00", help="15:00 (UTC) or 2026-11-28T15:00")
        parser.add_argument("--until", default="", help="as --since")
        parser.add_argument("--top", type=int, default=TOP, help="rows of each group")

    def handle(self, *args: Any, **options: Any) -> None:
        now = utc_now()
        try:
            since = moment_of(options["since"], now)
            until = moment_of(options["until"], now) if options["until"] else None
        except NoSuchTime as error:
            raise CommandError(str(error)) from error
        lines = _lines(options["log"], options.get("stdin") or sys.stdin)
        try:
            found = count_asked(lines, address=options["address"], since=since, until=until)
        except NoAddress as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"cannot read {error.filename}: {error.strerror}") from error
        about = options["address"] or "all addresses"
        self.stdout.write(f"{about}, since {since:%Y-%m-%d %H:%M} UTC: {_counted(found)}")
        if found.requests:
            self.stdout.write(f"first {found.first}, last {found.last}")
        for name in GROUPS if found.requests else ():
            self._group(name, found, max(options["top"], 1))
        if found.unreadable:
            self.stdout.write(f"{found.unreadable} lines cannot be read and are not counted")

    def _group(self, name: str, found: Asked, top: int) -> None:
        counts = found.groups[name]
        self.stdout.write(f"\nby {name} ({len(counts)})")
        for value, times in counts.most_common(top):
            share = 100 * times / found.requests
            self.stdout.write(f"{times:>9,} {share:>5.1f} %  {value}")


def _counted(found: Asked) -> str:
    if found.requests == found.lines:
        return f"{found.requests:,} requests"
    return f"about {found.requests:,} requests, as {found.lines:,} lines say"


def _lines(names: list[str], stdin: Any) -> Iterator[str]:
    if not names:
        yield from stdin
    for name in names:
        with open(name, encoding="utf-8", errors="replace") as log:
            yield from log

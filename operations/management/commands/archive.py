"""`manage.py archive`: lists, shows and puts back items that TTL removed, joins the files, and asks for cold ones."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.management.command_errors import command_errors
from privacy.erasure.search import keep_without_erased
from socialsite.streams.archive import list_files, read_lines, thaw
from socialsite.streams.joining import join_files
from socialsite.table import AlreadyExists, Item, create, fetch

DAYS = 7  # for which a copy of a cold file is asked


class Command(BaseCommand):
    help = (
        "Lists or shows the archive of expired items, restores items of one partition, joins files, or asks for cold "
        "ones."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        listing = actions.add_parser("list", help="the files")
        showing = actions.add_parser("show", help="the removals, a JSON line each")
        restoring = actions.add_parser(
            "restore", help="creates archived items of a partition again, without ttl"
        )
        actions.add_parser("join", help="joins the small files of older days, for cold classes")
        thawing = actions.add_parser("thaw", help=f"asks for copies of cold files for {DAYS} days")
        for action in (listing, showing, restoring, thawing):
            action.add_argument("--day", default="", help="one day, as 2026-11-21")
        for action in (showing, restoring):
            action.add_argument("--pk", default="", help="one partition key")

    def handle(self, *args: Any, action: str, day: str = "", **options: Any) -> None:
        pk = options.get("pk", "")
        if action == "restore" and not pk:
            raise CommandError("Choose the partition to restore with --pk KEY.")
        with command_errors():
            if action == "join":
                self._join()
                return
            files = list(list_files(day=day))
            if action == "list":
                self.stdout.write("\n".join(files))
                return
            if action == "thaw":
                self._thaw(files)
                return
            lines = (line for line in read_lines(files, day=day) if pk in ("", line["pk"]))
            if action == "show":
                for line in lines:
                    self.stdout.write(json.dumps(line, ensure_ascii=False))
                return
            restored = sum(self._restore(line["item"]) for line in lines)
        self.stdout.write(f"{restored} items restored.")

    def _join(self) -> None:
        joined = join_files(mend=keep_without_erased())
        for name, count in joined.files.items():
            self.stdout.write(f"{name} takes the place of {count} files.")
        for name in joined.left:
            self.stderr.write(f"{name} cannot be read, and stays as it is.")
        self.stdout.write(f"{len(joined.files)} files written.")

    def _thaw(self, files: list[str]) -> None:
        cold = sum(thaw(name, days=DAYS) for name in files)
        self.stdout.write(
            f"{cold} of {len(files)} files are cold. S3 has copies of them in five to twelve hours, of those in Deep "
            f"Archive in two days, and keeps the copies for {DAYS} days."
        )

    def _restore(self, raw: dict[str, Any]) -> int:
        item = Item.from_raw_data(raw)
        item.ttl = None
        if fetch([item.key]):
            return 0
        try:
            create(item)
        except AlreadyExists:
            return 0
        return 1

"""`manage.py archive`: lists, shows and puts back items that TTL removed."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.management.command_errors import command_errors
from socialsite.streams.archive import list_files, read_lines
from socialsite.table import AlreadyExists, Item, create, fetch


class Command(BaseCommand):
    help = "Lists or shows the archive of expired items, or restores items of one partition."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        listing = actions.add_parser("list", help="the files")
        showing = actions.add_parser("show", help="the removals, a JSON line each")
        restoring = actions.add_parser(
            "restore", help="creates archived items of a partition again, without ttl"
        )
        for action in (listing, showing, restoring):
            action.add_argument("--day", default="", help="one day, as 2026-11-21")
        for action in (showing, restoring):
            action.add_argument("--pk", default="", help="one partition key")

    def handle(self, *args: Any, action: str, day: str, **options: Any) -> None:
        pk = options.get("pk", "")
        if action == "restore" and not pk:
            raise CommandError("Choose the partition to restore with --pk KEY.")
        with command_errors():
            files = list(list_files(day=day))
            if action == "list":
                self.stdout.write("\n".join(files))
                return
            lines = (line for line in read_lines(files) if pk in ("", line["pk"]))
            if action == "show":
                for line in lines:
                    self.stdout.write(json.dumps(line, ensure_ascii=False))
                return
            restored = sum(self._restore(line["item"]) for line in lines)
        self.stdout.write(f"{restored} items restored.")

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

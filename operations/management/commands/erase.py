"""`manage.py erase <handle>`: closes an account and erases it, when the law asks for it and its owner cannot. After a
restore, `--as-in` erases everyone whom it brought back."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.people.reads import find_user_by_handle
from operations.management.command_errors import command_errors
from operations.moving.erased_since import find_erased, place_of
from operations.moving.place import MoveError, here
from privacy.erasure.writes import AlreadyClosing, LastAdmin, begin_closing
from socialsite.table import NotFound


class Command(BaseCommand):
    help = (
        "Erases an account: after 14 days, in which its owner can keep it, or with --now at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("handle", nargs="?")
        parser.add_argument("--now", action="store_true", help="without the 14 days")
        parser.add_argument(
            "--as-in",
            metavar="TABLE",
            help="after a restore: erase whoever is erased in that table of before, and close who was leaving there",
        )
        parser.add_argument("--dry-run", action="store_true", help="with --as-in: only name them")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["as_in"]:
            with command_errors(MoveError):
                self._again(options["as_in"], is_dry=options["dry_run"])
            return
        if not options["handle"]:
            raise CommandError("Name whom to erase by their handle.")
        handle = options["handle"].removeprefix("@").lower()
        with command_errors():
            try:
                user_id = find_user_by_handle(handle)
                receipt_id = begin_closing(user_id=user_id, at_once=options["now"])
            except NotFound as error:
                raise CommandError(f"Nobody has the handle {handle}.") from error
            except AlreadyClosing as error:
                raise CommandError(f"@{handle} is closing already.") from error
            except LastAdmin as error:
                raise CommandError(f"@{handle} is the last administrator.") from error
        self.stdout.write(f"@{handle} is closed. Its receipt: /erased/{receipt_id}")

    def _again(self, table: str, *, is_dry: bool) -> None:
        """Erases those whom a restore brought back. Their receipts are new ones, as the old are in the other table."""
        before = place_of(table)
        if before.name == here().name or not before.has_table():
            raise CommandError(
                f"{table} is no table of before. Name the one that the site had until the restore."
            )
        unknown = 0
        for back in find_erased(before):
            if not back.erased and not back.is_closing:
                self.stderr.write(
                    f"@{back.handle} is not in {table}, and no erasure is known there: left alone."
                )
                unknown += 1
                continue
            what = "erased" if back.erased else "closed"
            if not is_dry:
                try:
                    begin_closing(user_id=back.user_id, at_once=back.erased)
                except AlreadyClosing:
                    what = "leaving already"
                except LastAdmin:
                    what = "the last administrator, and left alone"
            self.stdout.write(f"@{back.handle}: {what}")
        if unknown:
            raise CommandError(f"{unknown} people have to be looked at by hand.")

"""`manage.py erase <handle>`: closes an account and erases it, when the law asks for it and its owner cannot."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.people.reads import find_user_by_handle
from operations.management.command_errors import command_errors
from privacy.erasure.writes import AlreadyClosing, LastAdmin, begin_closing
from socialsite.table import NotFound


class Command(BaseCommand):
    help = (
        "Erases an account: after 14 days, in which its owner can keep it, or with --now at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("handle")
        parser.add_argument("--now", action="store_true", help="without the 14 days")

    def handle(self, *args: Any, **options: Any) -> None:
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

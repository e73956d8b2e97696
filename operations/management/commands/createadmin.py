"""`manage.py createadmin`: creates the first administrator, gives someone the role, resets two-step verification, or
signs someone out everywhere."""

import shlex
import sys
from getpass import getpass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.people.reads import find_user_by_handle
from accounts.permissions import ADMIN, set_role
from accounts.security.writes import reset_second_factor
from accounts.sessions import end_sign_ins_with, unchanged
from accounts.sign_up.forms import SignUpForm
from accounts.sign_up.writes import EmailTaken, sign_up
from operations.management.command_errors import command_errors, site_place
from operations.serving.told import served_elsewhere
from socialsite.table import NotFound

NEXT = "The second factor is set up at the first visit of a moderation page."


class Command(BaseCommand):
    help = "Makes an administrator: of an existing handle, or of a new account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("handle")
        parser.add_argument("--email", default="", help="of the new account")
        parser.add_argument("--name", default="", help="display name of the new account")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )
        parser.add_argument(
            "--reset-second-factor",
            action="store_true",
            help="take the second factor off an account whose phone is lost; its role stays as it is",
        )
        parser.add_argument(
            "--sign-out",
            action="store_true",
            help="end all sign-ins of an account, such as one that someone else has got into",
        )

    def handle(self, *args: Any, handle: str, **options: Any) -> None:
        handle = handle.removeprefix("@").lower()
        if served := served_elsewhere(settings.DATA_DIR):
            raise CommandError(
                f"The site that is served is in {served}, and this would be the one in {settings.DATA_DIR}. "
                f"Begin the command with DATA_DIR={shlex.quote(str(served))}, or with the other folder."
            )
        with command_errors():
            if options["reset_second_factor"]:
                reset_second_factor(user_id=_existing(handle))
                self.stdout.write(
                    f"@{handle} has no second factor now, and is signed out everywhere. {_which()}"
                )
            elif options["sign_out"]:
                user_id = _existing(handle)
                count = end_sign_ins_with(unchanged(user_id), user_id=user_id)
                self.stdout.write(
                    f"@{handle} is signed out everywhere: {count} sign-ins ended. {_which()}"
                )
            else:
                self._promote_or_create(handle, options)

    def _promote_or_create(self, handle: str, options: dict[str, Any]) -> None:
        try:
            user_id = find_user_by_handle(handle)
        except NotFound:
            self._create(handle, options)
            return
        set_role(user_id=user_id, role=ADMIN)
        self.stdout.write(f"@{handle} is an administrator now. {_which()} {NEXT}")

    def _create(self, handle: str, options: dict[str, Any]) -> None:
        if not options["email"]:
            raise CommandError(
                f"No account has the handle {handle}. {_which()} To create one, add --email."
            )
        values = {
            "handle": handle,
            "name": options["name"] or handle,
            "email": options["email"],
            "password": self._read_password(options["password_stdin"]),
        }
        form = SignUpForm(values)
        if not form.is_valid():
            reasons = [
                f"{field}: {error}" for field, errors in form.errors.items() for error in errors
            ]
            raise CommandError(" ".join(reasons))
        try:
            sign_up(**form.cleaned_data, role=ADMIN, confirmed=True)
        except EmailTaken as error:
            raise CommandError(
                "Another account uses this email. Choose a different one."
            ) from error
        self.stdout.write(f"@{handle} is created, an administrator. {_which()} {NEXT}")

    def _read_password(self, from_stdin: bool) -> str:
        if from_stdin:
            return sys.stdin.readline().rstrip("\n")
        password = getpass("Password: ")
        if password != getpass("Password again: "):
            raise CommandError("The passwords do not match. Run the command again.")
        return password


def _existing(handle: str) -> str:
    try:
        return find_user_by_handle(handle)
    except NotFound as error:
        raise CommandError(
            f"No account has the handle {handle}. {_which()} Check the spelling."
        ) from error


def _which() -> str:
    """Says which site this is: without the DATA_DIR of another one, a command works on the demo's."""
    return f"This is the site in {site_place()}."

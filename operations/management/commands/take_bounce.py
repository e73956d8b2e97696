"""`manage.py take_bounce ADDRESS < letter`: takes a letter that came to `MAIL_RETURN`, as a mail server pipes it
(docs/deploy.md)."""

import sys
from email import policy
from email.parser import BytesParser
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.mail.bounces import take_returned
from operations.management.command_errors import command_errors

MOST = 1024 * 1024  # bytes that are read; a report has its fields at the beginning


class Command(BaseCommand):
    help = "Reads from stdin what a mail server says of a letter: it came back, was unwanted, or is to end."
    stealth_options = ("stdin",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "address", help="the address that the letter came to, as Postfix knows it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        stdin = options.get("stdin") or sys.stdin.buffer
        message = BytesParser(policy=policy.compat32).parsebytes(stdin.read(MOST))
        with command_errors():
            taken = take_returned(message, to=options["address"])
        self.stdout.write(taken or "nothing")

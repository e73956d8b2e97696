"""`manage.py take_bounce ADDRESS < letter`: takes a letter that came to `MAIL_RETURN`, as a mail server pipes it
(docs/deploy.md)."""

import logging
import sys
from email import policy
from email.parser import BytesParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.mail.bounces import take_returned
from socialsite.engine.program import EngineError
from socialsite.site_settings.read_only import closed_while_read_only, read_only_now
from socialsite.table import TableError

MOST = 1024 * 1024  # bytes that are read; a report has its fields at the beginning
TRY_AGAIN = 75  # EX_TEMPFAIL: the mail server keeps the letter, and pipes it again later

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Reads from stdin what a mail server says of a letter: it came back, was unwanted, or is to end."
    stealth_options = ("stdin",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "address", help="the address that the letter came to, as Postfix knows it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        stdin = options.get("stdin") or sys.stdin.buffer
        letter, taken = stdin.read(MOST), ""
        try:
            message = BytesParser(policy=policy.compat32).parsebytes(letter)
            read_only_now()
            with closed_while_read_only():
                taken = take_returned(message, to=options["address"])
        except (TableError, EngineError) as error:
            raise CommandError(f"not now: {error}", returncode=TRY_AGAIN) from error
        except Exception:  # strangers write these, and a mail server would send them the trace
            log.exception("a letter that came back cannot be read")
        self.stdout.write(taken or "nothing")

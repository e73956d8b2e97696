"""`manage.py sendtestemail you@example.org`: sends a letter, and looks whether DNS lets it arrive."""

import smtplib
from email.utils import parseaddr
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email

from operations.sender import Records, look_at
from socialsite.clock import utc_now


class Command(BaseCommand):
    help = "Sends a letter to you, and says what SPF, DKIM and DMARC of the sender's domain lack."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "email", nargs="*", help="where to send it; without it only DNS is looked at"
        )
        parser.add_argument(
            "--selector", action="append", default=[], help="of DKIM; several times for several"
        )
        parser.add_argument("--dns", default="", help="a name server, such as 127.0.0.1:53")

    def handle(self, *args: Any, email: list[str], **options: Any) -> None:
        domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].lower()
        for address in email:
            self._send(address)
        if "." not in domain:
            raise CommandError(
                f"MAIL_FROM is {settings.DEFAULT_FROM_EMAIL}: no mailbox takes letters of {domain or 'nobody'}. "
                "Set it to an address of your domain."
            )
        self.stdout.write(f"What DNS says of {domain}, the sender's domain:")
        missing = 0
        for found in look_at(
            domain, Records(options["dns"]), sends_by=_sends_by(), selectors=options["selector"]
        ):
            self.stdout.write(f"[{'ok' if found.is_good else '!!'}] {found.says}")
            if found.add:
                self.stdout.write(f"     add: {found.add}")
            missing += not found.is_good
        if missing:
            raise CommandError(
                f"{missing} of 4 are not right: letters may be refused or taken for spam."
            )

    def _send(self, address: str) -> None:
        try:
            validate_email(address)
            EmailMessage(
                f"Test letter of {settings.SITE_URL}",
                f"This site sent this letter at {utc_now():%Y-%m-%d %H:%M} UTC, so its letters go out. In its headers, "
                "Authentication-Results says whether SPF, DKIM and DMARC pass.\n",
                to=[address],
                headers={"Auto-Submitted": "auto-generated"},
            ).send()
        except ValidationError as error:
            raise CommandError(f"{address} is no email address.") from error
        except (smtplib.SMTPException, OSError, BotoCoreError, ClientError) as error:
            where = settings.EMAIL_HOST or settings.MAIL
            raise CommandError(f"{where} did not take the letter: {error}") from error
        if settings.MAIL == "folder":
            self.stdout.write(
                f"MAIL is `folder`: the letter is a file in {settings.DATA_DIR / 'mail'}, and none was sent. "
                "Set EMAIL_HOST."
            )
        else:
            self.stdout.write(
                f"{settings.EMAIL_HOST or 'Amazon SES'} took a letter to {address}. See whether it arrives."
            )


def _sends_by() -> str:
    """Returns what SPF must name for how this site sends."""
    if settings.MAIL == "ses":
        return "include:amazonses.com"
    return f"a:{settings.EMAIL_HOST}" if settings.EMAIL_HOST else "mx"

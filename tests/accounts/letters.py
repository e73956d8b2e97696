"""Letters as tests read them: sent at once, with the path that the link of each opens."""

import re
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.core import mail

from socialsite.due.work import do_due


@dataclass(frozen=True)
class Sent:
    """One letter."""

    to: str
    subject: str
    text: str

    @property
    def path(self) -> str:
        """The path of the button's link."""
        address = next(word for word in re.findall(r"https?://\S+", self.text))
        return urlsplit(address).path


def send_letters(now: datetime | None = None) -> list[Sent]:
    """Sends what is due, and returns what went out."""
    mail.outbox.clear()
    do_due(now)
    return [Sent(one.to[0], one.subject, str(one.body)) for one in mail.outbox]


def one_letter() -> Sent:
    [letter] = send_letters()
    return letter

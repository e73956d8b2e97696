"""The letters that a test sends, as they reached Django's mail, and their words."""

import re
from datetime import datetime

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from socialsite.due.work import do_due


def send_letters(now: datetime | None = None) -> list[EmailMultiAlternatives]:
    """Sends what is due, and returns it."""
    mail.outbox.clear()
    do_due(now)
    return list(mail.outbox)


def subjects(now: datetime | None = None) -> list[str]:
    return [letter.subject for letter in send_letters(now)]


def html_of(letter: EmailMultiAlternatives) -> str:
    [(text, kind)] = letter.alternatives
    assert kind == "text/html"
    return str(text)


def link_in(letter: EmailMultiAlternatives) -> str:
    """The one link that the text of a letter has, beside that to the site."""
    [link] = re.findall(r"https?://\S+/\S+", str(letter.body))
    return link

"""Writes a letter as a message: text and HTML of the same words, in the recipient's language and time zone."""

import hashlib
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, override

from accounts.mail.letters import Letter, LetterKind
from accounts.mail.messages import LetterMessage
from accounts.mail.recipients import Recipient
from socialsite.models import Due

TEXT, HTML = "mail/letter.txt", "mail/letter.html"


def write_message(kind: LetterKind, to: Recipient, due: Due) -> LetterMessage | None:
    """Returns the message, None if the letter is not wanted any more.

    Its Message-ID is the same in every try, so that a mail program shows a letter that was sent twice only once.
    """
    language = to.language or due.facts["language"] or settings.LANGUAGE_CODE
    with override(language), timezone.override(to.time_zone or "UTC"):
        letter = kind.write(to, due.facts)
        return _message(letter, to, due) if letter else None


def _message(letter: Letter, to: Recipient, due: Due) -> LetterMessage:
    context = {
        "letter": letter,
        "link": f"{settings.SITE_URL}{letter.path}",
        "site_url": settings.SITE_URL,
        "language": get_language(),
    }
    host = urlsplit(settings.SITE_URL).hostname
    number = hashlib.sha256(due.subject.encode()).hexdigest()[:32]
    message = LetterMessage(
        letter.subject,
        render_to_string(TEXT, context),
        to=[to.address],
        headers={"Auto-Submitted": "auto-generated", "Message-ID": f"<{number}@{host}>"},
    )
    message.user_id = to.user_id
    message.attach_alternative(render_to_string(HTML, context), "text/html")
    return message

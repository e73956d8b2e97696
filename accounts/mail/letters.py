"""What letters are: a subject, a few paragraphs and perhaps a button, from which text and HTML of the same words are
made, in the recipient's language and time zone.

A letter is posted by `tell`, in the transaction that is its reason, so that there is never one without the other. Each
is a function of the behaviour that it is about, registered by its kind. A recipient's address is readable
for a moment only; mail servers are not told whose letter it is.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, override

from accounts.encryption.emails import decrypt_email
from accounts.mail.choices import Regular
from accounts.mail.signed import return_address, unsubscribe_token
from accounts.models import Credentials, UserInfo, UserSettings
from socialsite.due.models import Due
from socialsite.table import access_pattern, fetch, keys, row
from socialsite.telling import Kind
from socialsite.web.preferences import parse


class LetterMessage(EmailMultiAlternatives):
    user_id = ""
    kind = ""


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person with the address that a letter goes to. `language` and `time_zone` are empty if they never chose."""

    user_id: str
    handle: str
    address: str
    language: str = ""
    time_zone: str = ""
    epoch: int = 0


@access_pattern
def find_recipient(user_id: str, *, at: str = "") -> Recipient | None:
    """Returns a person with their own address, or with the one given by `at`. None if the account or the address is
    gone.

    One BatchGetItem of UserInfo, UserSettings and Credentials, consistent: 3 read units, and 0.5 for the person's key.
    """
    info_key, settings_key = keys.user_info(user_id), keys.user_settings(user_id)
    credentials_key = keys.credentials(user_id)
    found = fetch([info_key, settings_key, credentials_key], consistent=True)
    if info_key not in found or credentials_key not in found:
        return None
    own = row(Credentials, found[credentials_key])
    if not own.email and not at:
        return None
    chosen = parse(row(UserSettings, found.get(settings_key, {})).preferences)
    return Recipient(
        user_id,
        handle=row(UserInfo, found[info_key]).handle,
        address=at or decrypt_email(own.email, user_id=user_id),
        language=chosen.language if chosen else "",
        time_zone=chosen.time_zone if chosen else "",
        epoch=int(own.epoch),
    )


Facts = Mapping[str, str]
Write = Callable[[Recipient, Facts], "Letter | None"]
Find = Callable[[Facts], Recipient | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a letter: what it says, above it by whom, and the path of the site where it stands."""

    text: str
    by: str = ""
    path: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter says, in the language of the moment. The button leads to a path of the site. One that comes
    regularly says which it is (`regular`), and then how to end it."""

    subject: str
    paragraphs: tuple[str, ...]
    button: str = ""
    path: str = ""
    after: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    regular: Regular | None = None


@dataclass(frozen=True, slots=True)
class LetterKind:
    """How a letter is written, how its recipient is found, how long it is of use, and how many a mailbox takes in a
    day."""

    write: Write
    find: Find
    life: timedelta
    a_day: int


LETTERS: dict[str, LetterKind] = {}


def owner(facts: Facts) -> Recipient | None:
    """Finds the person for whom the letter was posted."""
    return find_recipient(facts["user"])


def letter(
    kind: Kind, *, find: Find = owner, life: timedelta = timedelta(days=3), a_day: int = 6
) -> Callable[[Write], Write]:
    """Registers the function that writes a letter. It returns None if the letter is not wanted any more."""

    def register(write: Write) -> Write:
        LETTERS[kind.name] = LetterKind(write, find, life, a_day)
        return write

    return register


TEXT, HTML = "mail/letter.txt", "mail/letter.html"


def write_message(kind: LetterKind, to: Recipient, due: Due) -> LetterMessage | None:
    """Returns the message, None if the letter is not wanted any more.

    Its Message-ID is the same in every try, so that a mail program shows a letter that was sent twice only once.
    """
    language = to.language or due.facts["language"] or settings.LANGUAGE_CODE
    with override(language), timezone.override(to.time_zone or "UTC"):
        letter = kind.write(to, due.facts)
        if letter is None:
            return None
        return message_of(letter, to, kind=due.facts["letter"], event=due.subject)


def message_of(letter: Letter, to: Recipient, *, kind: str, event: str) -> LetterMessage:
    """Returns a letter as a message, in the language at hand. Two of the same `event` are one for a mail program. Where
    the site has an address for what comes back (`MAIL_RETURN`), a mail server is told one that names the person."""
    token = unsubscribe_token(letter.regular, to.user_id) if letter.regular else ""
    context = {
        "letter": letter,
        "link": f"{settings.SITE_URL}{letter.path}",
        "site_url": settings.SITE_URL,
        "language": get_language(),
        "unsubscribe": f"{settings.SITE_URL}/u/{token}" if token else "",
    }
    host = urlsplit(settings.SITE_URL).hostname
    number = hashlib.sha256(event.encode()).hexdigest()[:32]
    headers = {"Auto-Submitted": "auto-generated", "Message-ID": f"<{number}@{host}>"}
    if letter.regular:
        headers |= list_headers(letter.regular, token)
    envelope = return_address(to.user_id, to.address) if settings.MAIL == "smtp" else ""
    if envelope:
        headers["From"] = settings.DEFAULT_FROM_EMAIL
    message = LetterMessage(
        " ".join(letter.subject.split()),  # names of people may stand in it
        render_to_string(TEXT, context),
        from_email=envelope or None,
        to=[to.address],
        headers=headers,
    )
    message.user_id, message.kind = to.user_id, kind
    message.attach_alternative(render_to_string(HTML, context), "text/html")
    return message


def list_headers(letter: Regular, token: str) -> dict[str, str]:
    """Returns what lets a mail program end these letters with one press, without a visit (RFC 8058, 2369, 2919)."""
    host = urlsplit(settings.SITE_URL).hostname
    ways = [f"<{settings.SITE_URL}/u/{token}>"]
    if settings.MAIL_RETURN:
        ways.append(f"<mailto:{settings.MAIL_RETURN}?subject=unsubscribe%20{token}>")
    return {
        "List-Unsubscribe": ", ".join(ways),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": f"{letter} <{letter}.{host}>",
        "Precedence": "bulk",
    }

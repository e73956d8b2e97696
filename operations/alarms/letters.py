"""What letters say of alarms: to members of staff in their language, and to the operators of `ALARMS_TO` in English."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from accounts.mail.letters import Entry, Letter, LetterMessage, Recipient, Section, message_of
from accounts.mail.server import OF_ONE_LETTER
from operations.alarms.notices import PAGE
from operations.alarms.rules import BY_NAME
from operations.alarms.states import BEGAN, ENDED

Facts = Mapping[str, str]


def letter_of_alarms(facts: Facts) -> Letter | None:
    """Returns the letter in the language at hand, None if the code knows none of its alarms any more."""
    began, ended = (_known(facts.get(which, "")) for which in (BEGAN, ENDED))
    if not (began or ended):
        return None
    sections = [
        Section(_("Not as it should be"), tuple(_entries(began))),
        Section(_("Well again"), tuple(_entries(ended))),
    ]
    return Letter(
        _subject(began, ended),
        (_("This is what the site noticed about itself."),),
        sections=tuple(one for one in sections if one.entries),
        button=_("See what to do"),
        path=PAGE,
    )


def _known(names: str) -> list[str]:
    return [name for name in names.split() if name in BY_NAME]


def _subject(began: list[str], ended: list[str]) -> str:
    if len(began) == 1:
        return _("Alarm: %(what)s") % {"what": BY_NAME[began[0]].summary}
    if began:
        text = ngettext("%(n)d alarm began", "%(n)d alarms began", len(began))
        return text % {"n": len(began)}
    if len(ended) == 1:
        return _("Well again: %(what)s") % {"what": BY_NAME[ended[0]].summary}
    text = ngettext("%(n)d alarm ended", "%(n)d alarms ended", len(ended))
    return text % {"n": len(ended)}


def _entries(names: Iterable[str]) -> Iterator[Entry]:
    for name in names:
        yield Entry(str(BY_NAME[name].summary), by=name, path=f"{PAGE}#{name.lower()}")


@dataclass(frozen=True, slots=True)
class Sent:
    """How many letters went out, and what the mail server said of one that it refused."""

    count: int = 0
    refused: Exception | None = None


def send_each(messages: Iterable[LetterMessage]) -> Sent:
    """Sends all of them at once: an address that is refused keeps no letter from the others. Raises what the mail
    server does if it is away, or none went out."""
    count, refused = 0, None
    for message in messages:
        try:
            count += message.send()
        except (*OF_ONE_LETTER, SMTPRecipientsRefused) as error:
            refused = error
    if refused and not count:
        raise refused
    return Sent(count, refused)


def letters_to_operators(facts: Facts, *, event: str) -> list[LetterMessage]:
    """Returns the letter to each of `ALARMS_TO`."""
    with override("en"):
        letter = letter_of_alarms(facts)
        if letter is None:
            return []
        return [
            message_of(
                letter,
                Recipient("", handle="", address=address),
                kind="alarms",
                event=f"{event} {address}",
            )
            for address in settings.ALARMS_TO
        ]

"""What letters say of alarms: to members of staff in their language, and to the operators of `ALARMS_TO` in English."""

from collections.abc import Iterable, Iterator, Mapping

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from accounts.mail.letters import Entry, Letter, LetterMessage, Recipient, Section, message_of
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


def send_to_operators(facts: Facts, *, event: str) -> int:
    """Sends the letter to each of `ALARMS_TO`, at once. Returns how many went out. Raises what the mail server does."""
    with override("en"):
        letter = letter_of_alarms(facts)
        return sum(_send(letter, address, event) for address in settings.ALARMS_TO if letter)


def _send(letter: Letter, address: str, event: str) -> int:
    to = Recipient("", handle="", address=address)
    message: LetterMessage = message_of(letter, to, kind="alarms", event=f"{event} {address}")
    return message.send()

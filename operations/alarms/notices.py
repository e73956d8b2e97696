"""What alarms tell members of staff: that one began, that one ended, and both by letter. Nobody switches them off; each
is for those alone whose permission its rule names."""

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from socialsite.telling import Actors, Line, kind

PAGE = "/operations/alarms"


def _began(line: Line) -> SafeString:
    text = ngettext("%(n)d alarm of the site began", "%(n)d alarms of the site began", line.count)
    return escape(text % {"n": line.count})


def _ended(line: Line) -> SafeString:
    text = ngettext("%(n)d alarm of the site ended", "%(n)d alarms of the site ended", line.count)
    return escape(text % {"n": line.count})


ALARM_BEGAN = kind(
    "alarm-began",
    "n",
    icon="triangle-alert",
    sentence=_began,
    actors=Actors.NOBODY,
    answer=_("See what to do"),
    answer_url=PAGE,
)
ALARM_ENDED = kind(
    "alarm-ended",
    "v",
    icon="shield-check",
    sentence=_ended,
    actors=Actors.NOBODY,
    answer=_("See it"),
    answer_url=PAGE,
)
ALARMS = kind("alarms", by_letter=True)

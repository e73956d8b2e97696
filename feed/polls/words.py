"""What a poll says in words, in the language of the page."""

from datetime import datetime
from typing import Any

from babel.numbers import format_percent
from django.conf import settings
from django.utils.translation import get_language, gettext, ngettext, to_locale

from accounts.cards import count_text
from socialsite.clock import utc_now
from socialsite.web.time_zones import full_date

HOUR, DAY = 60, 24 * 60  # minutes


class ChoiceWords:
    """What a choice and its votes say."""

    __slots__ = ()
    votes: int
    percent: int

    @property
    def percent_text(self) -> str:
        locale = to_locale(get_language() or settings.LANGUAGE_CODE)
        return format_percent(self.percent / 100, locale=locale)

    @property
    def votes_text(self) -> str:
        text = ngettext("%(votes)s vote", "%(votes)s votes", self.votes)
        return text % {"votes": count_text(self.votes)}


class PollWords:
    """What the poll says of itself: how many took part, and how long it goes on."""

    __slots__ = ()
    ends: datetime
    is_closed: bool
    several: bool
    voters: int
    choices: Any

    @property
    def told(self) -> str:
        """Returns that there is a poll, and its choices, where nobody votes: quotes, previews, feeds."""
        texts = " · ".join(choice.text for choice in self.choices)
        return gettext("Poll: %(choices)s") % {"choices": texts}

    @property
    def asks(self) -> str:
        return gettext("Choose one or more") if self.several else gettext("Choose one")

    @property
    def voters_text(self) -> str:
        voters = count_text(self.voters)
        text = ngettext("%(voters)s person voted", "%(voters)s people voted", self.voters)
        return text % {"voters": voters}

    @property
    def share_text(self) -> str:
        """Returns of whom the percentages are, where they add up to more than a hundred."""
        text = ngettext("of %(voters)s person", "of %(voters)s people", self.voters)
        return text % {"voters": count_text(self.voters)}

    @property
    def left_text(self) -> str:
        """Returns how long one can still vote."""
        minutes = -int((utc_now() - self.ends).total_seconds() // 60)
        if self.is_closed or minutes <= 0:
            return gettext("Ended")
        if minutes < HOUR:
            return ngettext("%(n)d minute left", "%(n)d minutes left", minutes) % {"n": minutes}
        if minutes < DAY:
            hours = minutes // HOUR
            return ngettext("%(n)d hour left", "%(n)d hours left", hours) % {"n": hours}
        days = minutes // DAY
        return ngettext("%(n)d day left", "%(n)d days left", days) % {"n": days}

    @property
    def iso(self) -> str:
        return self.ends.isoformat(timespec="seconds")

    @property
    def ends_when(self) -> str:
        return full_date(self.ends)

"""What a card and its poll say in words, in the language of the page, and in how long a post disappears. What each card
says again is looked up once a language, and what counts, once a language and number.

Posts above about 12 lines are folded in lists, so that one post never fills a screen. The length of a line depends on
the screen, which the server does not know. So it counts for a phone and for a wide window, and the style sheet picks
one.
"""

import unicodedata
from datetime import datetime
from enum import StrEnum
from functools import cache, lru_cache
from math import ceil
from typing import Any

from babel.numbers import format_percent
from django.conf import settings
from django.utils import translation
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, to_locale

from accounts.people.cards import PersonCard, count_text
from feed.posts.models import Audience, Withheld
from socialsite.clock import utc_now
from socialsite.web.preferences import ago, full_date
from socialsite.web.rich_text import linked_names

MOST_LINES = 12
NARROW, WIDE = 36, 64  # columns of a line; a Chinese character takes two
SHORT = MOST_LINES * NARROW // 2  # so few characters always fit, unless there are line breaks


class Fold(StrEnum):
    NEVER = ""
    NARROW = "narrow"  # on phones
    ALWAYS = "always"


def fold_of(text: str) -> Fold:
    """Returns on which screens a post of this text is folded."""
    if len(text) <= SHORT and text.count("\n") < MOST_LINES // 2:
        return Fold.NEVER
    widths = [_columns(line) for line in text.split("\n")]
    if _lines(widths, WIDE) > MOST_LINES:
        return Fold.ALWAYS
    return Fold.NARROW if _lines(widths, NARROW) > MOST_LINES else Fold.NEVER


def _lines(widths: list[int], columns: int) -> int:
    return sum(max(1, -(-width // columns)) for width in widths)


def _columns(line: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line)


MINUTE, HOUR, DAY = 60, 3600, 86_400
MOST_HOURS = 36  # more are said in days


def seconds_until(end: datetime) -> int:
    return max(0, ceil((end - utc_now()).total_seconds()))


def in_how_long(end: datetime) -> str:
    """Returns the time that is left in its largest unit."""
    left = seconds_until(end)
    minutes, hours, days = ceil(left / MINUTE), round(left / HOUR), round(left / DAY)
    if minutes < HOUR // MINUTE:
        text = ngettext("Disappears in %(n)d minute", "Disappears in %(n)d minutes", minutes)
        return text % {"n": minutes}
    if left < MOST_HOURS * HOUR:
        text = ngettext("Disappears in %(n)d hour", "Disappears in %(n)d hours", hours)
        return text % {"n": hours}
    text = ngettext("Disappears in %(n)d day", "Disappears in %(n)d days", days)
    return text % {"n": days}


MINUTES_OF_HOUR, MINUTES_OF_DAY = 60, 24 * 60  # minutes


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
        if minutes < MINUTES_OF_HOUR:
            return ngettext("%(n)d minute left", "%(n)d minutes left", minutes) % {"n": minutes}
        if minutes < MINUTES_OF_DAY:
            hours = minutes // MINUTES_OF_HOUR
            return ngettext("%(n)d hour left", "%(n)d hours left", hours) % {"n": hours}
        days = minutes // MINUTES_OF_DAY
        return ngettext("%(n)d day left", "%(n)d days left", days) % {"n": days}

    @property
    def iso(self) -> str:
        return self.ends.isoformat(timespec="seconds")

    @property
    def ends_when(self) -> str:
        return full_date(self.ends)


AUDIENCE_ICONS = {
    Audience.FOLLOWERS: "users-round",
    Audience.FRIENDS: "user-check",
    Audience.CIRCLE: "circle-dashed",
    Audience.ONLY_ME: "lock",
}


class Words:
    """A card says what it is; here are the sentences about it."""

    __slots__ = ()
    created: datetime
    edited_at: str
    expires: datetime | None
    like_count: int
    reply_count: int
    repost_count: int
    quote_count: int
    reposters: tuple[PersonCard, ...]
    audience: str
    circle: str
    withheld: str
    is_own: bool
    root_id: str

    @property
    def ago(self) -> str:
        return ago(self.created)

    @property
    def when(self) -> str:
        return full_date(self.created)

    @property
    def updated(self) -> datetime:
        """Returns when it got its present text."""
        return datetime.fromisoformat(self.edited_at) if self.edited_at else self.created

    @property
    def edited_when(self) -> str:
        return full_date(self.updated)

    @property
    def expires_in(self) -> int:
        """Returns how many seconds are left of a post that disappears by itself."""
        return seconds_until(self.expires) if self.expires else 0

    @property
    def expires_iso(self) -> str:
        return self.expires.isoformat() if self.expires else ""

    @property
    def expires_when(self) -> str:
        return full_date(self.expires) if self.expires else ""

    @property
    def expires_text(self) -> str:
        """Returns in how long it disappears, in words."""
        return in_how_long(self.expires) if self.expires else ""

    @property
    def like_count_text(self) -> str:
        return count_text(self.like_count)

    @property
    def audience_icon(self) -> str:
        return AUDIENCE_ICONS[Audience(self.audience)]

    @property
    def audience_text(self) -> str:
        """Returns the audience of the post in words, empty for everyone."""
        match self.audience:
            case Audience.FOLLOWERS:
                return gettext("Followers only")
            case Audience.FRIENDS:
                return gettext("Friends only")
            case Audience.CIRCLE:
                if not self.circle:
                    return (
                        gettext("For a circle you deleted")
                        if self.is_own and not self.root_id
                        else gettext("Some friends only")
                    )
                return gettext("Circle %(name)s only") % {"name": self.circle}
            case Audience.ONLY_ME:
                return gettext("Only you")
        return ""

    @property
    def withheld_icon(self) -> str:
        return "hourglass" if self.withheld == Withheld.HELD else "ban"

    @property
    def withheld_url(self) -> str:
        """Returns where its author reads more, and gets it back if their account was secured."""
        return "/secured" if self.withheld == Withheld.SECURED else "/standing"

    @property
    def withheld_text(self) -> str:
        """Returns why only its author sees the post, in words, empty if others see it too."""
        match self.withheld:
            case Withheld.HELD:
                return gettext("Waiting for review. Only you can see it.")
            case Withheld.HIDDEN | Withheld.SECURED:
                return gettext("Hidden by a moderator. Only you can see it.")
        return ""

    @property
    def reply_count_text(self) -> str:
        return count_text(self.reply_count) if self.reply_count else ""

    @property
    def quote_count_text(self) -> str:
        return count_text(self.quote_count)

    @property
    def repost_count_text(self) -> str:
        return count_text(self.repost_count)

    @property
    def reposters_html(self) -> SafeString:
        """Returns who reposted it, of the people whose reposts bring the post to this page, with links."""
        names = linked_names(self.reposters, len(self.reposters))
        text = ngettext("{names} reposted", "{names} reposted", len(self.reposters))
        return format_html(text, names=names)


KEPT = 1024  # numbers and languages


@cache
def words_of(language: str | None) -> dict[str, SafeString]:
    """Returns the words by their names in `feed/_post.html`."""
    with translation.override(language):
        words = {
            "says_like": gettext("Like"),
            "says_sign_in_to_like": gettext("Sign in to like"),
            "says_reply": gettext("Reply"),
            "says_sign_in_to_reply": gettext("Sign in to reply"),
            "says_repost": gettext("Repost"),
            "says_sign_in_to_repost": gettext("Sign in to repost"),
        }
    return {name: escape(word) for name, word in words.items()}


# A language may have more forms than two, so each number is asked for by itself. The language is the one at hand.


@lru_cache(KEPT)
def likes_word(count: int, language: str | None) -> SafeString:
    return escape(ngettext("like", "likes", count))


@lru_cache(KEPT)
def replies_word(count: int, language: str | None) -> SafeString:
    return escape(ngettext("reply", "replies", count))


@lru_cache(KEPT)
def reposts_word(count: int, language: str | None) -> SafeString:
    return escape(ngettext("repost", "reposts", count))


@lru_cache(KEPT)
def quotes_word(count: int, language: str | None) -> SafeString:
    return escape(ngettext("quote", "quotes", count))

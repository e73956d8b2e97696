"""Levels: how much the site trusts a person. Each says what it limits, and from when on people have it.

A level is stored by its name in `UserInfo.level`. People without one are members, as everyone was before there were
levels. Staff change what a level limits (`moderation/levels/`), and what they never changed stands here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.conf import settings
from django.utils.translation import get_language, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

QUIET_DAYS = 30  # without a strike, before anyone rises


class Level(StrEnum):
    """From the least trusted to the most."""

    NEW = "new"
    MEMBER = "member"
    REGULAR = "regular"

    @classmethod
    def of(cls, stored: str | None) -> "Level":
        """Returns the level that an attribute names, member for none and for one that is unknown."""
        return cls(stored) if stored in list(cls) else cls.MEMBER


NAMES = {
    Level.NEW: pgettext_lazy("level", "New"),
    Level.MEMBER: _("Member"),
    Level.REGULAR: _("Regular"),
}


@dataclass(frozen=True, slots=True)
class LevelSetup:
    """What a level asks for, and what it limits (None: nothing). `names` are those that staff gave it, by language."""

    level: Level
    days: int = 0  # since joining
    posts: int = 0
    links: int | None = None  # in posts, a day
    photos: int | None = None  # in posts, a day
    mentions: int | None = None  # in one post
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Returns its name in the reader's language, the built-in one where staff gave it none."""
        return self.names.get(get_language() or settings.LANGUAGE_CODE) or str(NAMES[self.level])

    @property
    def limits(self) -> list[str]:
        """Returns what it limits, in sentences."""
        found = []
        if self.links is not None:
            found.append(links_text(self.links))
        if self.photos is not None:
            found.append(photos_text(self.photos))
        if self.mentions is not None:
            found.append(mentions_text(self.mentions))
        return found


def links_text(most: int) -> str:
    return ngettext("You can post %(n)d link a day.", "You can post %(n)d links a day.", most) % {
        "n": most
    }


def photos_text(most: int) -> str:
    return ngettext("You can post %(n)d photo a day.", "You can post %(n)d photos a day.", most) % {
        "n": most
    }


def mentions_text(most: int) -> str:
    return ngettext(
        "You can mention %(n)d person in a post.", "You can mention %(n)d people in a post.", most
    ) % {"n": most}


DEFAULT_LEVELS = (
    LevelSetup(Level.NEW, links=10),
    LevelSetup(Level.MEMBER, days=7, posts=3),
    LevelSetup(Level.REGULAR, days=60, posts=50),
)


def earned_level(
    levels: Iterable[LevelSetup], *, now: Level, days: int, posts: int, is_struck: bool
) -> Level:
    """Returns the level that a person has by the rules. People rise once they have been here for the days and have
    written the posts, and keep what they have, even if they delete posts or the rules change. Within 30 days of a
    strike nobody rises, and a regular is a member."""
    order = list(Level)
    if is_struck:
        return min(now, Level.MEMBER, key=order.index)
    reached = [one.level for one in levels if days >= one.days and posts >= one.posts]
    return max([now, *reached], key=order.index)

"""Why a scheduled post could not be published, and is a draft now."""

from enum import StrEnum
from typing import Self

from django.utils.translation import gettext


class Reason(StrEnum):
    """A format, once data exists, is never changed."""

    RULES = "rules"  # a word filter refuses it
    LARGE = "large"  # it does not fit into one item
    CIRCLE = "circle"  # its circle was deleted
    FROZEN = "frozen"
    AWAY = "away"  # paused, suspended, closing, or waiting for approval
    UNCONFIRMED = "unconfirmed"  # this site asks for a confirmed address
    ENDING = "ending"  # too many of its author's posts end by themselves
    PHOTOS = "photos"  # one of its photos was deleted, or is in another post

    @classmethod
    def of(cls, value: str) -> Self | None:
        return cls(value) if value in set(cls) else None

    @property
    def sentence(self) -> str:
        """Returns why it was not published, in the language at hand."""
        match self:
            case Reason.RULES:
                return gettext(
                    "It wasn’t published, because the rules of this site don’t allow it."
                )
            case Reason.LARGE:
                return gettext("It wasn’t published, because it is too long with everything in it.")
            case Reason.CIRCLE:
                return gettext("It wasn’t published, because you’ve deleted its circle.")
            case Reason.FROZEN:
                return gettext("It wasn’t published, because you couldn’t post at that time.")
            case Reason.AWAY:
                return gettext(
                    "It wasn’t published, because your account wasn’t open at that time."
                )
            case Reason.UNCONFIRMED:
                return gettext(
                    "It wasn’t published, because your email address isn’t confirmed yet."
                )
            case Reason.ENDING:
                return gettext(
                    "It wasn’t published, because too many of your posts disappear by themselves."
                )
            case Reason.PHOTOS:
                return gettext("It wasn’t published, because one of its photos is gone.")
        return ""

"""The end of a new post in its author's counts.

`post#` counts lasting posts alone. The end of each other post stands in `UserCount`, and readers count those that are
still to come. So a count is right to the second, and nobody writes it when a post ends.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserCount
from accounts.models.ends import end_text, still_ahead
from feed.models import Post
from feed.post_count import ENDS, set_of
from feed.verdicts import Refused
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.as_read import Moved
from socialsite.table.reading import get

MOST_ENDING = 50  # posts of a person at once, so that their counts stay a small item


class TooManyEnding(Refused):
    """The author has as many posts that end by themselves as they can have at once."""

    field = "expires_in"


class StoryStays(Refused):
    """A story does not end by itself: its further posts are replies, which stay."""

    field = "expires_in"

    def __init__(self) -> None:
        super().__init__(_("Only a single post can disappear by itself. A story stays."))


def count_ending(post: Post) -> Change:
    """Returns the change of its author's `UserCount` for a new post that ends by itself, on condition that the ends are
    as they were read (`Moved`). Those that are past leave with it. Raises `TooManyEnding`.

    One consistent GetItem, 1 read unit.
    """
    key = keys.user_count(post.author_id)
    count = get(UserCount, key, consistent=True)
    ends = {name: still_ahead(getattr(count, name)) for name in ENDS}
    if sum(map(len, ends.values())) >= MOST_ENDING:
        raise TooManyEnding(_why_too_many())
    ends[set_of(post.audience or "", post.withheld or "")].add(end_text(post.ttl, post.post_id))
    return Change(UserCount, key, set_ends(count, ends), are_ends(count), otherwise=Moved)


def set_ends(count: UserCount, ends: Mapping[str, set[str]]) -> list[Action]:
    """Returns the change of the ends as they were read to these."""
    return [
        getattr(UserCount, name).set(now) if now else getattr(UserCount, name).remove()
        for name, now in ends.items()
        if now != set(getattr(count, name) or ())
    ]


def are_ends(count: UserCount) -> Condition:
    """The condition that the ends are as they were read."""
    one, two, three = (
        getattr(UserCount, name) == set(ends)
        if (ends := getattr(count, name))
        else getattr(UserCount, name).does_not_exist()
        for name in ENDS
    )
    return one & two & three


def _why_too_many() -> str:
    return ngettext(
        "You already have %(n)d post that disappears by itself. "
        "Delete it, wait until it is gone, or let this one stay.",
        "You already have %(n)d posts that disappear by themselves. "
        "Delete one of them, wait until one is gone, or let this one stay.",
        MOST_ENDING,
    ) % {"n": MOST_ENDING}

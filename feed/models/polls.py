"""Polls in posts, and the votes. Shape and keys only."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import BooleanAttribute, ListAttribute, MapAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item

MOST_OPTIONS = 6


class Poll(MapAttribute[str, object]):
    """What a post asks. `ends` is the moment after which no vote is taken. `several` allows more than one choice,
    `change` another choice until the end, and `early` shows the results to people before they vote."""

    options = ListAttribute(of=UnicodeAttribute)
    ends = UnicodeAttribute()
    several = BooleanAttribute(null=True)
    change = BooleanAttribute(null=True)
    early = BooleanAttribute(null=True)

    @property
    def texts(self) -> list[str]:
        return [str(option) for option in self.options]

    @property
    def ends_at(self) -> datetime:
        return datetime.fromisoformat(self.ends)


class Vote(Item, discriminator="Vote"):
    """In the post's partition: the vote of a person. `choices` holds the places of the options they chose, each a
    digit, in order. `at` is when they chose them."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    choices = UnicodeAttribute()
    at = UnicodeAttribute()

    @classmethod
    def new(cls, *, post_id: str, author_id: str, user_id: str, choices: str, at: datetime) -> Self:
        return cls(
            *keys.vote(post_id, user_id),
            post_id=post_id,
            author_id=author_id,
            user_id=user_id,
            choices=choices,
            at=at.isoformat(timespec="microseconds"),
        )

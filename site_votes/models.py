"""A site vote, that someone has voted in it, and how many chose what. Nothing says who chose what. For the links on
every page there is a notice beside the site's set-up (`SiteVoteNotice`)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import BooleanAttribute, ListAttribute, NumberAttribute, UnicodeAttribute

from socialsite.clock import utc_now
from socialsite.table import Item, keys

MOST_OPTIONS = 6


class SiteVote(Item, discriminator="SiteVote"):
    """A question that staff put to everyone. `sums` are the votes for each answer as they were added up at
    `counted_at`. Once it `is_closed` they are the result."""

    family = "site"
    page = "/votes/{vote_id}"
    vote_id = UnicodeAttribute()
    question = UnicodeAttribute(attr_name="content")
    answers: ListAttribute[Any] = ListAttribute(of=UnicodeAttribute)
    ends = UnicodeAttribute(attr_name="until")
    sums: ListAttribute[Any] = ListAttribute(of=NumberAttribute)
    counted_at = UnicodeAttribute(null=True)
    is_closed = BooleanAttribute(null=True)

    @classmethod
    def new(cls, *, vote_id: str, question: str, answers: Sequence[str], ends: datetime) -> Self:
        return cls(
            *keys.site_vote(vote_id),
            vote_id=vote_id,
            question=question,
            answers=list(answers),
            ends=ends.isoformat(timespec="seconds"),
            sums=[0] * len(answers),
        )

    @property
    def ends_at(self) -> datetime:
        return datetime.fromisoformat(self.ends)

    @property
    def is_open(self) -> bool:
        return utc_now() < self.ends_at


class SiteBallot(Item, discriminator="SiteBallot"):
    """That a person has voted in a site vote, in their own partition. The choice is not in it: the ballot is secret."""

    family = "site"
    page = "/votes/{vote_id}"
    vote_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    at = UnicodeAttribute()

    @classmethod
    def new(cls, *, vote_id: str, user_id: str, at: datetime, ttl: datetime) -> Self:
        key = keys.ballot(user_id, vote_id)
        moment = at.isoformat(timespec="microseconds")
        return cls(*key, vote_id=vote_id, user_id=user_id, at=moment, ttl=ttl)


class SiteVoteCount(Item, discriminator="SiteVoteCount"):
    """One of 64 counters of a site vote. `option_1` is how many votes for the first answer were added here,
    `voters_gone` how many of all votes are of people whose account was erased since. A closed one takes no vote any
    more."""

    family = "site"
    page = "/votes/{vote_id}"
    vote_id = UnicodeAttribute()
    option_1 = NumberAttribute(default=0)
    option_2 = NumberAttribute(default=0)
    option_3 = NumberAttribute(default=0)
    option_4 = NumberAttribute(default=0)
    option_5 = NumberAttribute(default=0)
    option_6 = NumberAttribute(default=0)
    voters_gone = NumberAttribute(default=0)
    is_closed = BooleanAttribute(null=True)


OPTIONS = tuple(f"option_{number}" for number in range(1, MOST_OPTIONS + 1))

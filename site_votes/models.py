"""What a site vote leaves in the table: that someone has voted, and how many chose what. Nothing says who chose what.
The vote itself is `SiteVote` (`socialsite/site_settings/models.py`)."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import Item, keys

MOST_OPTIONS = 6


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

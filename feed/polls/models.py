"""Votes, what a vote adds to the counts of its post in `LikeCount`, and what an author asks for when they publish a
poll."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from feed.posts.models import COUNTERS, LikeCount, Poll, Post
from socialsite.table import Item, keys, query, row


class Vote(Item, discriminator="Vote"):
    """In the post's partition: the vote of a person. `choices` holds the places of the options they chose, each a
    digit, in order. `at` is when they chose them."""

    family = "reactions"

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


VOTERS = "voters"
NAMES = (VOTERS, *COUNTERS)


def counter(name: str) -> NumberAttribute:
    attribute = LikeCount.get_attributes()[name]
    assert isinstance(attribute, NumberAttribute)
    return attribute


def counted(choices: str) -> Counter[str]:
    """Returns what a vote for these choices adds, by the name of the counter."""
    return Counter([VOTERS, *(COUNTERS[int(place)] for place in choices)] if choices else [])


def difference(old: Item | None, new: Item | None) -> dict[str, int]:
    """Returns by how much a change of a vote changes each counter."""
    was, is_now = (counted(one.choices if isinstance(one, Vote) else "") for one in (old, new))
    return {name: is_now[name] - was[name] for name in NAMES if is_now[name] != was[name]}


def count_votes(post_id: str) -> Counter[str]:
    """Returns what the counters should say: a consistent Query of each of the 16 shards, 1 read unit for 4 KB."""
    total = Counter[str]()
    for shard in range(keys.VOTE_SHARDS):
        for raw in query(keys.votes(post_id, shard), consistent=True):
            total += counted(row(Vote, raw).choices)
    return total


LENGTHS = {
    "1h": timedelta(hours=1),
    "1d": timedelta(days=1),
    "3d": timedelta(days=3),
    "1w": timedelta(days=7),
}
USUAL_LENGTH = "1d"


@dataclass(frozen=True, slots=True)
class PollWish:
    """`length` is one of the `LENGTHS`, from the moment the post is published."""

    options: tuple[str, ...]
    length: str = USUAL_LENGTH
    several: bool = False
    change: bool = False
    early: bool = False

    def begun_at(self, moment: datetime) -> Poll:
        """Returns the poll of a post that is published at this moment."""
        ends = moment + LENGTHS[self.length]
        return Poll(
            options=list(self.options),
            ends=ends.isoformat(timespec="seconds"),
            several=self.several or None,
            change=self.change or None,
            early=self.early or None,
        )

    @property
    def words(self) -> str:
        """Returns all that tells it from another, for the key of a submission."""
        return repr((self.options, self.length, self.several, self.change, self.early))


def said_by(post: Post) -> str:
    """Returns the text of a post, and a line for each answer of its poll."""
    answers = post.poll.texts if post.poll else ()
    return "\n".join([post.content or "", *(f"○ {answer}" for answer in answers)])

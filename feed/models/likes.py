"""Likes, and the counts of a post. Shape and keys only."""

import zlib
from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item

NOT_LIKED = "yes"


class Like(Item, discriminator="Like"):
    """In the post's partition: a person who likes it."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, post_id: str, author_id: str, user_id: str, shards: int | None = None) -> Self:
        key = keys.like(post_id, user_id, like_shard(user_id, shards))
        return cls(*key, post_id=post_id, author_id=author_id, user_id=user_id)


def like_shard(user_id: str, shards: int | None) -> int | None:
    """Returns the shard of a post's likes that holds this person's, None if they are not spread."""
    return zlib.crc32(user_id.encode()) % shards if shards else None


class LikeTrace(Item, discriminator="LikeTrace"):
    """In a person's own partition: what they did with a post. One item for all of it, so that a card needs one key.

    It stands for a like, written with the `Like`, unless `not_liked` is set: then it stands for a repost or a vote
    alone. `repost_id` is the id of their repost, written with the `Repost`. `choices` are those of their `Vote`,
    written with it.
    """

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    not_liked = UnicodeAttribute(null=True)
    repost_id = UnicodeAttribute(null=True)
    choices = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        post_id: str,
        author_id: str,
        user_id: str,
        liked: bool = True,
        repost_id: str = "",
        choices: str = "",
    ) -> Self:
        return cls(
            *keys.like_trace(user_id, post_id),
            post_id=post_id,
            author_id=author_id,
            user_id=user_id,
            not_liked=None if liked else NOT_LIKED,
            repost_id=repost_id or None,
            choices=choices or None,
        )


class LikeCount(Item, discriminator="LikeCount"):
    """The counts of a post: likes, direct replies and quotes that readers can see, reposts, of a story's first post
    those of its further ones that readers can see, and in a poll the votes for each choice and the people who voted.
    Created at 0 with its post, and ends with it. Only the stream worker changes them. All but `like#` are missing until
    there is a first one."""

    post_id = UnicodeAttribute()
    likes = NumberAttribute(attr_name="like#", default=0)
    replies = NumberAttribute(attr_name="reply#", null=True)
    reposts = NumberAttribute(attr_name="repost#", null=True)
    quotes = NumberAttribute(attr_name="quote#", null=True)
    parts = NumberAttribute(attr_name="part#", null=True)
    voters = NumberAttribute(attr_name="voters#", null=True)
    votes0 = NumberAttribute(attr_name="vote0#", null=True)
    votes1 = NumberAttribute(attr_name="vote1#", null=True)
    votes2 = NumberAttribute(attr_name="vote2#", null=True)
    votes3 = NumberAttribute(attr_name="vote3#", null=True)
    votes4 = NumberAttribute(attr_name="vote4#", null=True)
    votes5 = NumberAttribute(attr_name="vote5#", null=True)

    @classmethod
    def new(cls, *, post_id: str, ttl: datetime | None = None) -> Self:
        return cls(*keys.like_count(post_id), post_id=post_id, ttl=ttl)

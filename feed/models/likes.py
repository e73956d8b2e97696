"""Likes, and the counts of a post. Shape and keys only."""

import zlib
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


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
    """In the liker's partition: a post they like. Written with the `Like`."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, post_id: str, author_id: str, user_id: str) -> Self:
        key = keys.like_trace(user_id, post_id)
        return cls(*key, post_id=post_id, author_id=author_id, user_id=user_id)


class LikeCount(Item, discriminator="LikeCount"):
    """The counts of a post: likes, and direct replies that readers can see. Created at 0 with its post. Only the stream
    worker changes them. Posts from before there were replies lack `reply#`."""

    post_id = UnicodeAttribute()
    likes = NumberAttribute(attr_name="like#", default=0)
    replies = NumberAttribute(attr_name="reply#", null=True)

    @classmethod
    def new(cls, *, post_id: str) -> Self:
        return cls(*keys.like_count(post_id), post_id=post_id)

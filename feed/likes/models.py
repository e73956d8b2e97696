"""Likes. Shape and keys only. Their count, and what one person did with a post, are in `feed/posts/models.py`."""

import zlib
from typing import Self

from pynamodb.attributes import UnicodeAttribute

from socialsite.table import Item, keys


class Like(Item, discriminator="Like"):
    """In the post's partition: a person who likes it."""

    family = "reactions"
    page = "/@{author_id}/posts/{post_id}/likers"

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

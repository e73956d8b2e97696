"""Reposts. Shape and keys only."""

from typing import Self

from pynamodb.attributes import UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class Repost(Item, discriminator="Repost"):
    """Among the posts of the person who reposted: a pointer to the post, at the moment of the repost. It goes into
    timelines as posts do. If the post is a reply, it names the root of the thread and the person answered, as a
    timeline's pointer does. It has a `ttl` once the post is gone."""

    post_id = UnicodeAttribute()  # its own id
    author_id = UnicodeAttribute()  # the person who reposted
    repost_of = UnicodeAttribute()
    repost_of_author_id = UnicodeAttribute()
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        repost_id: str,
        user_id: str,
        repost_of: str,
        repost_of_author_id: str,
        root_id: str = "",
        root_author_id: str = "",
        reply_to_author_id: str = "",
    ) -> Self:
        return cls(
            *keys.post(user_id, repost_id),
            post_id=repost_id,
            author_id=user_id,
            repost_of=repost_of,
            repost_of_author_id=repost_of_author_id,
            root_id=root_id or None,
            root_author_id=root_author_id or None,
            reply_to_author_id=reply_to_author_id or None,
        )


class Reposter(Item, discriminator="Reposter"):
    """In the post's partition: a person who reposted it, with the id of their repost."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    repost_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, post_id: str, author_id: str, user_id: str, repost_id: str) -> Self:
        key = keys.reposter(post_id, user_id)
        return cls(*key, post_id=post_id, author_id=author_id, user_id=user_id, repost_id=repost_id)

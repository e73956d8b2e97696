"""Items about posts, timelines and likes. Shape and keys only."""

import zlib
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Self

from pynamodb.attributes import MapAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import ids, keys
from socialsite.table.item import Item


class Audience(StrEnum):
    """The audience of a post. `EVERYONE` is the empty string, so most posts have no attribute for it."""

    EVERYONE = ""
    FOLLOWERS = "followers"
    FRIENDS = "friends"
    CIRCLE = "circle"
    ONLY_ME = "me"


class Withheld(StrEnum):
    """Why only the author sees a post."""

    HELD = "held"  # until a moderator has seen it
    HIDDEN = "hidden"  # hidden by a moderator


class Post(Item, discriminator="Post"):
    """A post. `timestamp` comes from the published model: epoch seconds as text. The id holds the time too.

    `mentions` holds the people it mentions (handle: id), as found when it was published. Posts without mentions lack
    it. So do posts from before mentions were looked up, in which every handle is a link. `like_shards` is the number of
    shards of its likes (`like_shards.py`): none at first for authors with few followers. The stream worker raises it
    when likes come too fast, and never lowers it. `circle` is the id of the circle, if the audience is one. `withheld`
    (a `Withheld`) and `sensitive` are moderators' decisions. `flagged` names the word filters that it met when it was
    written.
    """

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    content = UnicodeAttribute()
    mentions = MapAttribute[str, str](null=True)
    timestamp = UnicodeAttribute()
    like_shards = NumberAttribute(null=True)
    audience = UnicodeAttribute(null=True)
    circle = UnicodeAttribute(null=True)
    withheld = UnicodeAttribute(null=True)
    sensitive = UnicodeAttribute(null=True)
    flagged = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        post_id: str,
        author_id: str,
        content: str,
        mentions: Mapping[str, str] | None = None,
        like_shards: int | None = None,
        audience: str = Audience.EVERYONE,
        circle: str = "",
        withheld: str = "",
        flagged: str = "",
    ) -> Self:
        timestamp = str(int(ids.time_of(post_id).timestamp()))
        key = keys.post(author_id, post_id)
        return cls(
            *key,
            post_id=post_id,
            author_id=author_id,
            content=content,
            mentions=mentions,
            timestamp=timestamp,
            like_shards=like_shards,
            audience=audience or None,
            circle=circle or None,
            withheld=withheld or None,
            flagged=flagged or None,
        )


class Submission(Item, discriminator="Submission"):
    """A form that was sent. If the same form is sent again, it finds the post that the first one made."""

    user_id = UnicodeAttribute()
    post_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, nonce: str, post_id: str, ttl: datetime) -> Self:
        key = keys.submission(user_id, nonce)
        return cls(*key, user_id=user_id, post_id=post_id, ttl=ttl)


class TimelineEntry(Item, discriminator="TimelineEntry"):
    """A pointer to a post in someone's home timeline."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, post_id: str, author_id: str, ttl: datetime) -> Self:
        key = keys.timeline_entry(user_id, post_id, author_id)
        return cls(*key, post_id=post_id, author_id=author_id, ttl=ttl)


class PublicEntry(Item, discriminator="PublicEntry"):
    """A pointer to a post in the local timeline of one day, spread over shards."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, day: date, shard: int, post_id: str, author_id: str, ttl: datetime) -> Self:
        key = keys.public_entry(day, shard, post_id, author_id)
        return cls(*key, post_id=post_id, author_id=author_id, ttl=ttl)


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
    """The like count of a post. Created at 0 with its post. Only the stream worker changes it."""

    post_id = UnicodeAttribute()
    likes = NumberAttribute(attr_name="like#", default=0)

    @classmethod
    def new(cls, *, post_id: str) -> Self:
        return cls(*keys.like_count(post_id), post_id=post_id)

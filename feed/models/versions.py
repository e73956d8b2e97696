"""What posts said before they were edited. Shape and keys only."""

from typing import Self

from pynamodb.attributes import MapAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.expressions.condition import Condition

from feed.models.posts import Post
from socialsite.table import ids, keys
from socialsite.table.item import Item


class PostVersion(Item, discriminator="PostVersion"):
    """The text that a post had until an edit replaced it, kept until the post is deleted. `version` counts from 1, and
    `written_at` is when this text was written."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    version = NumberAttribute()
    content = UnicodeAttribute()
    warning = UnicodeAttribute(null=True)
    lang = UnicodeAttribute(null=True)
    mentions = MapAttribute[str, str](null=True)
    written_at = UnicodeAttribute()

    @classmethod
    def new(cls, post: Post) -> Self:
        """Returns what the post says now, before it is edited."""
        version = int(post.version or 1)
        return cls(
            *keys.post_version(post.post_id, version),
            post_id=post.post_id,
            author_id=post.author_id,
            version=version,
            content=post.content,
            warning=post.warning,
            lang=post.lang,
            mentions=post.mentions,
            written_at=post.edited_at or ids.time_of(post.post_id).isoformat(timespec="seconds"),
        )


def is_version(post: Post) -> Condition:
    """The condition that the post has the text with which it was read."""
    return Post.version == int(post.version) if post.version else Post.version.does_not_exist()

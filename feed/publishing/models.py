"""What posts said before they were edited, quotes and who may not quote a post again, and forms that were sent. Shape
and keys only."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import MapAttribute, NumberAttribute, UnicodeAttribute

from feed.posts.models import Post
from socialsite.table import Item, ids, keys


class PostVersion(Item, discriminator="PostVersion"):
    """The text that a post had until an edit replaced it, kept until the post is deleted. `version` counts from 1, and
    `written_at` is when this text was written."""

    page = "/@{author_id}/posts/{post_id}/history"

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


class Quote(Item, discriminator="Quote"):
    """In the partition of the quoted post: a pointer to the post that quotes it."""

    family = "reactions"
    page = "/@{author_id}/posts/{post_id}"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    quote_of = UnicodeAttribute()
    quote_of_author_id = UnicodeAttribute()

    @classmethod
    def new(cls, post: Post) -> Self:
        """Returns the quote of a post that quotes another."""
        return cls(
            *keys.quote(str(post.quote_of), post.post_id),
            post_id=post.post_id,
            author_id=post.author_id,
            quote_of=post.quote_of,
            quote_of_author_id=post.quote_of_author_id,
        )


class QuoteRefusal(Item, discriminator="QuoteRefusal"):
    """In the author's own partition: a person who may not quote a post of theirs again, as the author took back a
    quote."""

    family = "reactions"

    user_id = UnicodeAttribute()
    post_id = UnicodeAttribute()
    other_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, post_id: str, other_id: str) -> Self:
        key = keys.quote_refusal(user_id, post_id, other_id)
        return cls(*key, user_id=user_id, post_id=post_id, other_id=other_id)


class Submission(Item, discriminator="Submission"):
    """A form that was sent. If the same form is sent again, it finds the post that the first one made."""

    user_id = UnicodeAttribute()
    post_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, nonce: str, post_id: str, ttl: datetime) -> Self:
        key = keys.submission(user_id, nonce)
        return cls(*key, user_id=user_id, post_id=post_id, ttl=ttl)

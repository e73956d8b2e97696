"""Quotes. Shape and keys only."""

from typing import Self

from pynamodb.attributes import UnicodeAttribute

from feed.models.posts import Post
from socialsite.table import keys
from socialsite.table.item import Item


class Quote(Item, discriminator="Quote"):
    """In the partition of the quoted post: a pointer to the post that quotes it."""

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

    user_id = UnicodeAttribute()
    post_id = UnicodeAttribute()
    other_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, post_id: str, other_id: str) -> Self:
        key = keys.quote_refusal(user_id, post_id, other_id)
        return cls(*key, user_id=user_id, post_id=post_id, other_id=other_id)

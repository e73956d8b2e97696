"""Posts under their tags. Shape and keys only."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import UnicodeAttribute

from feed.pointers import Pointer
from socialsite.table import keys
from socialsite.table.item import Item


class TagEntry(Item, discriminator="TagEntry"):
    """A pointer to a public post, under one of its tags. That of a part of a story names the root
    too, that of a quote the quoted post."""

    tag = UnicodeAttribute()
    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    quote_of_author_id = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, tag: str, pointer: Pointer, ttl: datetime) -> Self:
        key = keys.tag_entry(tag, pointer.post_id, pointer.author_id)
        return cls(
            *key,
            tag=tag,
            post_id=pointer.post_id,
            author_id=pointer.author_id,
            ttl=ttl,
            root_id=pointer.root_id or None,
            root_author_id=pointer.root_author_id or None,
            reply_to_author_id=pointer.reply_to_author_id or None,
            quote_of=pointer.quote_of or None,
            quote_of_author_id=pointer.quote_of_author_id or None,
        )

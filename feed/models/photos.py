"""Photos in posts. Shape and keys only; the photos themselves are in `photos/`."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import MapAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class PostPhoto(MapAttribute[str, object]):
    """What a card shows of a photo, so that a page of posts reads no other item. Its names are short, as a post has
    room for four of them.

    `alt` is the beginning of the description, as much as fits. `public_secret` names the copy that everyone can read,
    which there is only while the post is for everyone (`feed/photos/showing.py`).
    """

    photo_id = UnicodeAttribute(attr_name="id")
    secret = UnicodeAttribute()
    width = NumberAttribute(attr_name="w")
    height = NumberAttribute(attr_name="h")
    thumbhash = UnicodeAttribute(attr_name="hash", null=True)
    alt = UnicodeAttribute(null=True)
    public_secret = UnicodeAttribute(attr_name="open", null=True)


class MediaEntry(Item, discriminator="MediaEntry"):
    """A pointer to a post with photos, among those of its author."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, post_id: str, author_id: str, ttl: datetime | None = None) -> Self:
        key = keys.media_entry(author_id, post_id)
        return cls(*key, post_id=post_id, author_id=author_id, ttl=ttl)

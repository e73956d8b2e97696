"""A photo's item. Shape and keys only."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import Item, keys

COMING, READY = "coming", "ready"
REMOVED = "removed"  # by moderators, with its files; evidence has a copy


class Photo(Item, discriminator="Photo"):
    """A photo of a person. The item is there before its files, and they are deleted after it, so no file is without.

    `secret` names its files, which only the site reads. `public_secret` names a second copy that everyone can read, if
    there is one. `post_id` is the post that shows it, and `held_by` names the drafts and scheduled posts that hold it.
    With none of them it has a `ttl`. `sha256` is of the file as it was uploaded, and `pdq` the perceptual hash, which
    photos of earlier versions lack, and pictures with too little in them.
    """

    family = "posts"

    photo_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    secret = UnicodeAttribute()
    state = UnicodeAttribute()
    width = NumberAttribute()
    height = NumberAttribute()
    thumbhash = UnicodeAttribute()
    alt = UnicodeAttribute(null=True)
    bytes = NumberAttribute()
    sha256 = UnicodeAttribute()
    pdq = UnicodeAttribute(null=True)
    public_secret = UnicodeAttribute(null=True)
    post_id = UnicodeAttribute(null=True)
    held_by = UnicodeSetAttribute(null=True)
    chat_id = UnicodeAttribute(null=True)
    message_id = UnicodeAttribute(null=True)

    @property
    def is_free(self) -> bool:
        """Whether no post and no message shows it."""
        return not (self.post_id or self.message_id)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        photo_id: str,
        secret: str,
        width: int,
        height: int,
        thumbhash: str,
        size: int,
        sha256: str,
        alt: str,
        pdq: str = "",
        until: datetime,
    ) -> Self:
        return cls(
            *keys.photo(user_id, photo_id),
            photo_id=photo_id,
            user_id=user_id,
            secret=secret,
            state=COMING,
            width=width,
            height=height,
            thumbhash=thumbhash,
            bytes=size,
            sha256=sha256,
            pdq=pdq or None,
            alt=alt or None,
            ttl=until,
        )

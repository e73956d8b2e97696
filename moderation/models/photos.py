"""Reported photos, and pictures of reported profiles. Shape and keys only."""

from enum import StrEnum

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from socialsite.table.item import Item


class Keeping(StrEnum):
    """How far the copy of a reported photo is."""

    COMING = "coming"
    KEPT = "kept"
    GONE = "gone"  # the photo was deleted before it was copied


class CasePhoto(Item, discriminator="CasePhoto"):
    """A photo of a post as it was when it was first reported with this description, or a picture of a reported profile.
    The item is there before its file, and the file is deleted after it.

    `secret` is a part of the file's name, to which no address of photos leads. `source` is that of the photo's
    own private files. `width`, `height` and `bytes` are those of the copy. `number` is its place in the post.

    A picture of a profile has a `part` (`avatar` or `header`) and no post. Its `source` names the files that everyone
    sees, and `withdrawn` says that moderators took them away.
    """

    photo_id = UnicodeAttribute()
    post_id = UnicodeAttribute(null=True)
    part = UnicodeAttribute(null=True)
    person_id = UnicodeAttribute()
    version = UnicodeAttribute(attr_name="post_version")
    number = NumberAttribute(null=True)
    secret = UnicodeAttribute()
    source = UnicodeAttribute()
    state = UnicodeAttribute()
    width = NumberAttribute()
    height = NumberAttribute()
    bytes = NumberAttribute(null=True)
    thumbhash = UnicodeAttribute(null=True)
    alt = UnicodeAttribute(null=True)
    withdrawn = UnicodeAttribute(null=True)

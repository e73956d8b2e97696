"""The places of photos in a post, as an update names them: so that two changes of one post keep apart."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute

from feed.models import Post


def alt_of(number: int) -> UnicodeAttribute:
    return _attribute(number, "alt")


def public_secret_of(number: int) -> UnicodeAttribute:
    return _attribute(number, "public_secret")


def _attribute(number: int, name: str) -> UnicodeAttribute:
    photo: Any = Post.photos[number]
    attribute: UnicodeAttribute = getattr(photo, name)
    return attribute

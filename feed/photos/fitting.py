"""How much of the descriptions fits into a post. The rest stays in the photos, for pages of one post or photo."""

from collections.abc import Sequence
from typing import Any

from feed.models import Post, PostPhoto
from feed.verdicts import size_of
from socialsite.table.size import MOST_BYTES
from socialsite.texts.shortened import shortened_to_bytes

MOST_OF_ALT = 300  # bytes
LEAST_OF_ALT = 40  # bytes; below that the post is refused as too large
NAME = len("alt") + 1


def describe_as_fits(post: Post, descriptions: Sequence[str], **changed: Any) -> None:
    """Puts as much of the descriptions into the photos of a post as fits beside the rest, with what an edit changes."""
    photos: Sequence[PostPhoto] = post.photos or ()
    for photo in photos:
        photo.alt = None
    names = NAME * sum(map(bool, descriptions))
    room = MOST_BYTES - size_of(post, **changed) - names
    for photo, text in zip(photos, cut_evenly(descriptions, room), strict=True):
        photo.alt = text or None


def cut_evenly(texts: Sequence[str], room: int) -> list[str]:
    """Cuts texts so that they take at most `room` bytes together: the short ones stay whole, the others get equal
    parts of what is left, none less than 40 bytes or more than 300."""
    sizes = sorted(min(len(text.encode()), MOST_OF_ALT) for text in texts)
    part, left = MOST_OF_ALT, room
    for number, size in enumerate(sizes):
        share = left // (len(sizes) - number)
        if size > share:
            part = max(LEAST_OF_ALT, share)
            break
        left -= size
    return [shortened_to_bytes(text, part) for text in texts]

"""Deletes the photos of a post that was deleted, or that has ended by itself."""

from collections.abc import Sequence

from feed.models import Post
from feed.photos.attaching import CLEAR_PHOTOS
from socialsite.due.work import due_work
from socialsite.models import Due
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.writing import write_batch


@on(Post, "REMOVE")
def clear_photos(change: Change, ledger: Ledger) -> None:
    """Deletes the photos of the post, and the pointer to it among its author's media. What follows from each photo
    deletes its files (`photos/stream_handlers/`). 1 write unit each. Safe to run twice: it deletes by key."""
    post = change.item
    assert isinstance(post, Post)
    if not post.photos:
        return
    _clear(post.author_id, post.post_id, [photo.photo_id for photo in post.photos])
    ledger.note_effect()


@due_work(CLEAR_PHOTOS)
def clear_photos_at_the_end(due: Due) -> None:
    """Does the same when a post ends by itself, whenever TTL removes its item. Safe to run twice, and after the post
    was deleted."""
    _clear(due.facts["author_id"], due.subject, due.facts["photo_ids"].split())


def _clear(author_id: str, post_id: str, photo_ids: Sequence[str]) -> None:
    photos = [keys.photo(author_id, photo_id) for photo_id in photo_ids]
    write_batch(deletes=[keys.media_entry(author_id, post_id), *photos])

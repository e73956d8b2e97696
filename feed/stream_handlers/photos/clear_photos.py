"""Deletes the photos of a deleted post."""

from feed.models import Post
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
    write_batch(
        deletes=[
            keys.media_entry(post.author_id, post.post_id),
            *(keys.photo(post.author_id, photo.photo_id) for photo in post.photos),
        ]
    )
    ledger.note_effect()

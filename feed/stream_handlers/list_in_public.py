"""Lists posts for everyone in the local timeline."""

from datetime import timedelta

from feed.local_timeline import DAYS, day_of, shard_of
from feed.models import Post, PublicEntry
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids
from socialsite.table.writing import write_batch


@on(Post, "INSERT")
def list_in_public(change: Change, ledger: Ledger) -> None:
    """Adds a new public post to the local timeline, but no replies. Safe to run twice: the entry has a fixed key."""
    post = change.item
    assert isinstance(post, Post)
    if post.audience or post.root_id:
        return
    entry = PublicEntry.new(
        day=day_of(post.post_id),
        shard=shard_of(post.post_id),
        post_id=post.post_id,
        author_id=post.author_id,
        ttl=ids.time_of(post.post_id) + timedelta(days=DAYS + 1),
    )
    write_batch(puts=[entry])
    ledger.note_effect()

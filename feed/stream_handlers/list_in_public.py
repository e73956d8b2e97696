"""Lists posts for everyone in the local timeline, as long as they are for everyone."""

from datetime import timedelta

from feed.expiring.moments import earlier
from feed.local_timeline import DAYS, day_of, shard_of
from feed.models import Post, PublicEntry
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids
from socialsite.table.item import Item
from socialsite.table.writing import write_batch


@on(Post, "INSERT", "MODIFY")
def list_in_public(change: Change, ledger: Ledger) -> None:
    """Adds a post that is for everyone now to the local timeline, but no replies, and takes it out once it is for some.
    Safe to run twice: the entry has a fixed key, and both images of the post decide."""
    post = change.item
    assert isinstance(post, Post)
    if _is_listed(change.old) == _is_listed(post):
        return
    entry = PublicEntry.new(
        day=day_of(post.post_id),
        shard=shard_of(post.post_id),
        post_id=post.post_id,
        author_id=post.author_id,
        ttl=earlier(ids.time_of(post.post_id) + timedelta(days=DAYS + 1), post.ttl),
    )
    if not _is_listed(post):
        write_batch(deletes=[entry.key])
    elif entry.ttl > utc_now():
        write_batch(puts=[entry])
    ledger.note_effect()


def _is_listed(post: Item | None) -> bool:
    return isinstance(post, Post) and not (post.audience or post.root_id)

"""Counts the direct replies to a post, and the further posts of a story."""

from feed.models import LikeCount, Reply
from feed.threads.copies import difference
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys


@on(Reply, "INSERT", "MODIFY", "REMOVE")
def count_reply(change: Change, ledger: Ledger) -> None:
    """Adds a reply to the count of the post that it answers once readers can see it, and takes it off when it is
    deleted or withheld, through the ledger, which counts each record once; a further post of a story also to the count
    of the first one. If the post is gone, so is the count."""
    reply = change.item
    assert isinstance(reply, Reply)
    if by := difference(change.old, change.new):
        key = keys.like_count(reply.reply_to)
        ledger.add(LikeCount, key, LikeCount.replies, by, if_gone=_nothing)
        if reply.story:
            first = keys.like_count(reply.root_id)
            ledger.add(LikeCount, first, LikeCount.parts, by, if_gone=_nothing)


def _nothing() -> None:
    """The post was deleted, and its counts with it."""

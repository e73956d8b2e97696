"""Counts the direct replies to a post."""

from feed.models import LikeCount, Reply
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.item import Item


@on(Reply, "INSERT", "MODIFY", "REMOVE")
def count_reply(change: Change, ledger: Ledger) -> None:
    """Adds a reply to the count of the post that it answers once readers can see it, and takes it off when it is
    deleted or withheld, through the ledger, which counts each record once. If the post is gone, there is no count."""
    reply = change.item
    assert isinstance(reply, Reply)
    difference = _counts(change.new) - _counts(change.old)
    if difference:
        key = keys.like_count(reply.reply_to)
        ledger.add(LikeCount, key, LikeCount.replies, difference, if_gone=_nothing)


def _counts(item: Item | None) -> bool:
    return isinstance(item, Reply) and not item.gone and not item.withheld


def _nothing() -> None:
    """The post was deleted, and its counts with it."""

"""Counts quotes."""

from feed.models import LikeCount, Post
from feed.quotes.counting import difference
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys


@on(Post, "INSERT", "MODIFY", "REMOVE")
def count_quote(change: Change, ledger: Ledger) -> None:
    """Adds a quote to the count of the quoted post once readers can see it, and takes it off when it is deleted,
    withheld or taken back, through the ledger, which counts each record once. If the post is gone, so is the count."""
    post = change.item
    assert isinstance(post, Post)
    if by := difference(change.old, change.new):
        key = keys.like_count(str(post.quote_of))
        ledger.add(LikeCount, key, LikeCount.quotes, by, if_gone=_nothing)


def _nothing() -> None:
    """The quoted post was deleted, and its counts with it."""

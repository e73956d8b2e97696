"""Counts reposts and quotes."""

from feed.posts.models import LikeCount, Post, Reposter
from feed.posts.writes import clear_reposts
from feed.sharing.reads import difference
from socialsite import keys
from socialsite.streams import Change, Ledger, on


@on(Reposter, "INSERT", "REMOVE")
def count_repost(change: Change, ledger: Ledger) -> None:
    """Adds a new or removed repost to the post's count, through the ledger, which counts each record once.

    If the count is gone, so is the post. Then a repost that came during the deletion is cleared too.

    As `count_like`: 2 write units for each post in a batch.
    """
    reposter = change.item
    assert isinstance(reposter, Reposter)

    def clear_repost() -> None:
        clear_reposts([reposter])

    difference = 1 if change.event == "INSERT" else -1
    key = keys.like_count(reposter.post_id)
    ledger.add(LikeCount, key, LikeCount.reposts, difference, if_gone=clear_repost)


@on(Post, "INSERT", "MODIFY", "REMOVE")
def count_quote(change: Change, ledger: Ledger) -> None:
    """Adds a quote to the count of the quoted post once readers can see it, and takes it off when it is deleted,
    withheld or taken back, through the ledger, which counts each record once. If the post is gone, so is the count. As
    `count_like`: 2 write units for each post in a batch."""
    post = change.item
    assert isinstance(post, Post)
    if by := difference(change.old, change.new):
        key = keys.like_count(str(post.quote_of))
        ledger.add(LikeCount, key, LikeCount.quotes, by, if_gone=_nothing)


def _nothing() -> None:
    """The quoted post was deleted, and its counts with it."""

"""Lists posts under their tags."""

from feed.models import Post
from feed.post_tags import listed_tags
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from tags.listed import enter_tags, leave_tags, whole_post


@on(Post, "INSERT", "MODIFY", "REMOVE")
def list_under_tags(change: Change, ledger: Ledger) -> None:
    """Lists a post under its tags once others can see it, and takes it away when it is deleted, withheld, or does not
    have the tag any more.

    A BatchWriteItem of two items for each tag that came; for each that went, one of the entry and a consistent Query.
    Safe to run twice: entries have fixed keys, and both images of the post decide.
    """
    post, before, now = change.item, change.old, change.new
    assert isinstance(post, Post)
    assert before is None or isinstance(before, Post)
    assert now is None or isinstance(now, Post)
    old, new = listed_tags(before), listed_tags(whole_post(now))
    if old == new:
        return
    if gone := old - new:
        leave_tags(post, gone)
    enter_tags(post, new - old)
    ledger.note_effect()

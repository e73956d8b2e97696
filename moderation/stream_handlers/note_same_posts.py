"""Notices what new accounts post alike (`moderation/hints/`)."""

from datetime import timedelta

from feed.models import Post
from moderation.hints.services.note_same_posts import note_same_posts
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids
from socialsite.table.item import Item

NEW = timedelta(days=30)


@on(Post, "INSERT", "MODIFY")
def note_posts_of_new_accounts(change: Change, ledger: Ledger) -> None:
    """Compares the posts of accounts younger than 30 days that everyone can read: new ones, edited ones, and those that
    were for fewer people or held before. Safe to run twice: it notes a post with the moment of the change, which is
    the same both times."""
    post, old = change.item, change.old
    assert isinstance(post, Post)
    if change.moment - ids.time_of(post.author_id) > NEW or not _is_for_everyone(post):
        return
    if _is_for_everyone(old) and isinstance(old, Post) and old.version == post.version:
        return
    ledger.note_effect()
    note_same_posts(post, moment=change.moment)


def _is_for_everyone(item: Item | None) -> bool:
    return isinstance(item, Post) and not item.audience and not item.withheld

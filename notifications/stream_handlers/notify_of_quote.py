"""Tells authors who quotes their posts."""

from feed.models import Post
from feed.pointers import pointer_of_post
from feed.quotes.counting import difference
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(Post, "INSERT", "MODIFY", "REMOVE")
def notify_of_quote(change: Change, ledger: Ledger) -> None:
    """Tells of every quote, once others can see it, and not of the author's own taking it back."""
    post = change.item
    assert isinstance(post, Post)
    if not difference(change.old, change.new) or post.quote_withdrawn:
        return
    notifications = Notifications()
    notifications.add(
        str(post.quote_of_author_id),
        Kind.QUOTE,
        actor=post.author_id,
        cause=post.key,
        subject_id=post.post_id,
        pointer=pointer_of_post(post),
    )
    ledger.enter(notifications)

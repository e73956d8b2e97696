"""Tells people who mentions them."""

from feed.models import Post
from feed.pointers import pointer_of_post
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table.item import Item


@on(Post, "INSERT", "MODIFY", "REMOVE")
def tell_of_mention(change: Change, ledger: Ledger) -> None:
    """Tells everyone whom a post mentions, once others can see it, and of an edit only those whom it adds; takes it
    back from those whom it leaves out. Those whom it answers or quotes are told of that."""
    was, now = _mentioned(change.old), _mentioned(change.new)
    post = change.item
    assert isinstance(post, Post)
    told = Notifications()
    for user_id in sorted((was ^ now) - _told_otherwise(post)):
        told.tell(
            user_id,
            Kind.MENTION,
            actor=post.author_id,
            cause=post.key,
            subject_id=post.post_id,
            pointer=pointer_of_post(post),
        )
    ledger.enter(told)


def _told_otherwise(post: Post) -> set[str | None]:
    return {post.reply_to_author_id, post.root_author_id, post.quote_of_author_id}


def _mentioned(post: Item | None) -> set[str]:
    if not isinstance(post, Post) or post.withheld or not post.mentions:
        return set()
    return set(post.mentions.attribute_values.values())

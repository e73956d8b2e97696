"""Tells people who mentions them."""

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from feed.models import Post
from feed.pointers import pointer_of_post
from feed.visibility import Head, is_open, sight_keys, sight_of
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.item import Item
from socialsite.table.reading import RawItem, fetch


@on(Post, "INSERT", "MODIFY", "REMOVE")
def notify_of_mention(change: Change, ledger: Ledger) -> None:
    """Tells everyone whom a post mentions, once others can see it, and of an edit only those whom it adds; takes it
    back from those whom it leaves out. If it or its thread gets another audience, tells only those who could not see
    it before, and takes it back from those who cannot see it now: one consistent BatchGetItem of what they are to the
    author of the thread, 2 read units each. Those whom it answers or quotes are told of that."""
    was, now = _mentioned(change.old), _mentioned(change.new)
    post = change.item
    assert isinstance(post, Post)
    notifications = Notifications()
    concerned = (was ^ now) | _newly_or_no_longer_reached(change, was & now)
    for user_id in sorted(concerned - _notified_otherwise(post)):
        notifications.add(
            user_id,
            Kind.MENTION,
            actor=post.author_id,
            cause=post.key,
            subject_id=post.post_id,
            pointer=pointer_of_post(post),
        )
    ledger.enter(notifications)


def _newly_or_no_longer_reached(change: Change, user_ids: set[str]) -> set[str]:
    old, new = change.old, change.new
    if not user_ids or not isinstance(old, Post) or not isinstance(new, Post):
        return set()
    if (old.audience, old.circle) == (new.audience, new.circle):
        return set()
    # A reply is for those whom its root is for, and has the audience of the root.
    head_author_id = new.root_author_id or new.author_id
    info, viewers = keys.user_info(head_author_id), [Viewer(one) for one in user_ids]
    between = [key for viewer in viewers for key in sight_keys(viewer, [head_author_id])]
    found = fetch([info, *between], consistent=True)
    if info not in found:  # the account is gone
        return set()
    author, before, after = PersonCard.from_raw(found[info]), old.serialize(), new.serialize()

    def reaches(raw: RawItem, viewer: Viewer) -> bool:
        return is_open(Head(raw, author, sight_of(viewer, head_author_id, found)))

    return {one.user_id for one in viewers if reaches(before, one) != reaches(after, one)}


def _notified_otherwise(post: Post) -> set[str | None]:
    return {post.reply_to_author_id, post.root_author_id, post.quote_of_author_id}


def _mentioned(post: Item | None) -> set[str]:
    if not isinstance(post, Post) or post.withheld or not post.mentions:
        return set()
    return set(post.mentions.attribute_values.values())

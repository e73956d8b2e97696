"""Tells people who answers them."""

from feed.models import Reply
from feed.pointers import pointer_of_post
from feed.threads.copies import difference
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys


@on(Reply, "INSERT", "MODIFY", "REMOVE")
def notify_of_reply(change: Change, ledger: Ledger) -> None:
    """Tells the person answered, and the author of the thread, each of every reply, once others can see it."""
    reply = change.item
    assert isinstance(reply, Reply)
    if not difference(change.old, change.new):
        return
    notifications = Notifications()
    for user_id in people_answered(reply):
        notifications.add(
            user_id,
            Kind.REPLY,
            actor=reply.author_id,
            cause=keys.post(reply.author_id, reply.post_id),
            subject_id=reply.post_id,
            pointer=pointer_of_post(reply),
        )
    ledger.enter(notifications)


def people_answered(reply: Reply) -> set[str]:
    return {reply.reply_to_author_id, reply.root_author_id}

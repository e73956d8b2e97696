"""Hiding replies in the own threads: they are set aside, behind the other replies."""

from accounts.viewer import Viewer
from feed.models import Post, Reply
from feed.pointers import Pointer
from feed.threads.copies import place_of
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import change

SET_ASIDE = "yes"


@access_pattern
def set_reply_aside(*, by: Viewer, reply: Pointer, on: bool) -> str:
    """Sets a reply aside, with the answers below it, or takes that back, and returns the id of the thread. Safe to
    repeat. Raises `NotFound` unless it is a reply of another person in a thread of the person's own.

    One GetItem, 0.5 read units, and one UpdateItem of its place, 2 write units. The reply itself stays as it is.
    """
    post = get(Post, keys.post(reply.author_id, reply.post_id))
    place = place_of(post)
    if place is None or post.root_author_id != by.user_id or post.author_id == by.user_id:
        raise NotFound("no reply in a thread of theirs")
    aside = Reply.set_aside.set(SET_ASIDE) if on else Reply.set_aside.remove()
    change(Reply, place, [aside])
    return str(post.root_id)

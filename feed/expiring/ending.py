"""The planned end of a post that does not stay: it brings the clock (`feed/stream_handlers/timed/end_post.py`)."""

from feed.models import Post
from socialsite.due.planning import plan
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.keys import Key

END_POST = "end-post"  # the kind of the due item


def end_later(post: Post) -> Create:
    """Returns the action that plans the deletion of a post at its end. 2 write units."""
    return plan(END_POST, moment=post.ttl, subject=post.post_id, author_id=post.author_id)


def key_of_end(post: Post) -> Key:
    """Returns the key of the planned end."""
    return keys.due(post.ttl, END_POST, post.post_id)

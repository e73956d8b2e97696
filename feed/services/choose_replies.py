"""Choosing who can reply in a thread, after its first post was published."""

from accounts.viewer import Viewer
from feed.models import Post, Replies
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change

UNQUOTABLE = "yes"


@access_pattern
def choose_replies(*, by: Viewer, post_id: str, replies: str, quotable: bool = True) -> None:
    """Sets who can reply from now on, and whether others can quote the post; safe to repeat. What was answered or
    quoted before stays. Raises `NotFound` if the post is gone, is not the person's own, or is itself a reply: the rule
    of a thread is that of its first post.

    One UpdateItem, 1 write unit. A reply on its way holds the rule that its author saw, and is refused.
    """
    chosen = Post.replies.remove() if replies == Replies.EVERYONE else Post.replies.set(replies)
    unquotable = Post.unquotable.remove() if quotable else Post.unquotable.set(UNQUOTABLE)
    key = keys.post(by.user_id, post_id)
    change(Post, key, [chosen, unquotable], condition=Post.root_id.does_not_exist())

"""Choosing who can reply in a thread, after its first post was published."""

from accounts.viewer import Viewer
from feed.models import Post, Replies
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change


@access_pattern
def choose_replies(*, by: Viewer, post_id: str, replies: str) -> None:
    """Sets who can reply from now on; safe to repeat. What was answered before stays. Raises `NotFound` if the post is
    gone, is not the person's own, or is itself a reply: the rule of a thread is that of its first post.

    One UpdateItem, 1 write unit. A reply on its way holds the rule that its author saw, and is refused.
    """
    chosen = Post.replies.remove() if replies == Replies.EVERYONE else Post.replies.set(replies)
    key = keys.post(by.user_id, post_id)
    change(Post, key, [chosen], condition=Post.root_id.does_not_exist())

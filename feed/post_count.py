"""The change of an author's post count when posts are published, deleted, hidden, shown again, or get another
audience."""

from collections.abc import Mapping

from pynamodb.expressions.condition import Condition

from accounts.models import UserCount
from feed.models import Post
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.as_read import Moved
from socialsite.table.errors import NotFound


def count_posts(
    author_id: str, changes: Mapping[str, int], *, only_if: Condition | None = None
) -> list[WriteAction]:
    """Returns the change of the author's `UserCount` for this many posts of each audience: negative for removed posts,
    empty if nothing changes. Posts that are not for everyone are also counted apart. `only_if` is a condition on the
    counts as they were read, whose failure is `Moved`."""
    posts = sum(changes.values())
    closed = sum(change for audience, change in changes.items() if audience)
    actions = [UserCount.posts.add(posts)] if posts else []
    actions += [UserCount.closed.add(closed)] if closed else []
    if not actions:
        return []
    otherwise = NotFound if only_if is None else Moved
    return [Change(UserCount, keys.user_count(author_id), actions, only_if, otherwise)]


def has_audience(post: Post) -> Condition:
    """The condition that a post is for the people for whom it was when it was read, so that it counts alike."""
    audience, circle = Post.audience, Post.circle
    same = audience == post.audience if post.audience else audience.does_not_exist()
    return same & (circle == post.circle if post.circle else circle.does_not_exist())

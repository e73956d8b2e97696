"""The change of an author's post count when posts are published, deleted, hidden or shown again."""

from collections.abc import Mapping

from accounts.models import UserCount
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction


def count_posts(author_id: str, changes: Mapping[str, int]) -> list[WriteAction]:
    """Returns the change of the author's `UserCount` for this many posts of each audience: negative for removed posts,
    empty if nothing changes. Posts that are not for everyone are also counted apart."""
    posts = sum(changes.values())
    closed = sum(change for audience, change in changes.items() if audience)
    actions = [UserCount.posts.add(posts)] if posts else []
    actions += [UserCount.closed.add(closed)] if closed else []
    return [Change(UserCount, keys.user_count(author_id), actions)] if actions else []

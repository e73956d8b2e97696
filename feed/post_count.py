"""How posts that come and go change their author's count: what publishing, deleting, hiding and showing write."""

from collections.abc import Mapping

from accounts.models import UserCount
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction


def count_posts(author_id: str, changes: Mapping[str, int]) -> list[WriteAction]:
    """Returns the change of the author's `UserCount` for as many posts of each audience, negative for posts that go;
    nothing where it stays as it is. Posts that are not for everyone are counted apart as well."""
    posts = sum(changes.values())
    closed = sum(change for audience, change in changes.items() if audience)
    actions = [UserCount.posts.add(posts)] if posts else []
    actions += [UserCount.closed.add(closed)] if closed else []
    return [Change(UserCount, keys.user_count(author_id), actions)] if actions else []

"""The posts that people keep at the top of their page."""

from collections.abc import Collection

from accounts.models import UserCount
from accounts.viewer import Viewer
from feed.access_patterns import get_posts
from feed.cards import PostCard
from feed.pointers import Pointer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row


@access_pattern
def list_pinned(author_id: str, pins: Collection[str], *, viewer: Viewer) -> list[PostCard]:
    """Returns the pinned posts that the viewer may see, the newest first. One BatchGetItem of at most 3 posts, as
    `get_posts`; nothing for people without pins. `get_profile` tells the ids."""
    pointers = [Pointer(post_id, author_id) for post_id in sorted(pins, reverse=True)]
    return get_posts(pointers, viewer=viewer) if pointers else []


@access_pattern
def is_pinned(post_id: str, *, viewer: Viewer) -> bool:
    """Whether the viewer has pinned one of their own posts. BatchGetItem of `u#<id>` `count`, consistent, 1 read
    unit."""
    key = keys.user_count(viewer.user_id)
    found = fetch([key], consistent=True)
    return post_id in row(UserCount, found.get(key, {})).pins

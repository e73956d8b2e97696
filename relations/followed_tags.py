"""The tags that a person follows: at most 50, all read at once."""

from accounts.viewer import Viewer
from relations.models import FollowedTag
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, query
from socialsite.table.row import row


@access_pattern
def list_followed_tags(viewer: Viewer) -> list[str]:
    """Returns the tags that the viewer follows, in the order of their letters. Query `PK = u#<id>#tag`, 0.5 read units
    per 4 KB."""
    return [row(FollowedTag, raw).tag for raw in query(keys.followed_tags(viewer.user_id))]


@access_pattern
def is_followed_tag(tag: str, *, viewer: Viewer) -> bool | None:
    """Returns whether the viewer follows a tag, None for visitors. BatchGetItem of one key, 0.5 read units."""
    if not viewer.is_authenticated:
        return None
    return bool(fetch([keys.followed_tag(viewer.user_id, tag)]))


def followed_tags_now(user_id: str) -> set[str]:
    """Returns the tags that a person follows, for the stream worker: read consistently, 1 read unit per 4 KB."""
    rows = query(keys.followed_tags(user_id), consistent=True)
    return {row(FollowedTag, raw).tag for raw in rows}

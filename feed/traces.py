"""Reads what a person did with posts: with one for the services that write it, with those of a page."""

from collections.abc import Iterable
from contextlib import suppress

from accounts.viewer import Viewer
from feed.models import LikeTrace
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Stretch, read_stretch
from socialsite.table.reading import get

MOST = 100


def read_trace(by: Viewer, post_id: str) -> LikeTrace | None:
    """Returns the trace of what the viewer did with a post, None if they did nothing. A consistent GetItem, 1 read
    unit."""
    with suppress(NotFound):
        return get(LikeTrace, keys.like_trace(by.user_id, post_id), consistent=True)
    return None


@access_pattern
def own_traces(viewer: Viewer, post_ids: Iterable[str]) -> Stretch:
    """Returns what the viewer did with posts from the oldest to the newest of these; nothing for visitors.

    One Query `PK = u#<id>#trace`, `SK` between the two, at most 100 of some 215 bytes: 0.5 read units per 4 KB, so at
    most 3. Asked by key, each post would cost 0.5. People who like more than that in this time are asked for the rest
    by key.
    """
    between = sorted(post_ids)
    if not viewer.is_authenticated or not between:
        return Stretch()
    low, high = (keys.like_trace(viewer.user_id, post_id) for post_id in (between[0], between[-1]))
    return read_stretch(low.pk, (low.sk, high.sk), most=MOST)

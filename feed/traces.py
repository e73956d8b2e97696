"""Reads what a person did with a post, for the services that write it."""

from contextlib import suppress

from accounts.viewer import Viewer
from feed.models import LikeTrace
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.reading import get


def read_trace(by: Viewer, post_id: str) -> LikeTrace | None:
    """Returns the trace of what the viewer did with a post, None if they did nothing. A consistent GetItem, 1 read
    unit."""
    with suppress(NotFound):
        return get(LikeTrace, keys.like_trace(by.user_id, post_id), consistent=True)
    return None

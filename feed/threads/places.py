"""Reads the places of a thread that stand around a post: above it, before it in a story, and its direct answers. The
pages of all that is below it are in `pages.py`."""

from collections.abc import Iterator
from itertools import islice

from feed.models import Post, Reply
from socialsite.table import keys
from socialsite.table.reading import RawItem, key_of, query
from socialsite.table.row import row

ABOVE = 3  # replies shown above a reply


def path_of(raw: RawItem) -> str:
    """Returns the path of a raw `Reply`."""
    return key_of(raw).sk


def places_above(path: str) -> list[str]:
    """Returns the paths at which the nearest replies above one can be. The uppermost may be a part of the story."""
    above = keys.paths_above(path)
    near = above[-ABOVE:]
    return [keys.path_of_part(near[0]), *near] if near and near[0] == above[0] else near


def read_parts_before(root_id: str, path: str) -> list[RawItem]:
    """Returns the parts of a story before one, the earliest first, one more than are shown. One Query."""
    start = keys.reply_place(root_id, path)
    rows = query(
        start.pk, after=start, between=keys.story_bounds(path), forward=False, limit=ABOVE + 1
    )
    return list(islice(rows, ABOVE + 1))[::-1]


def read_story(root_id: str) -> Iterator[RawItem]:
    """Yields the further posts that were published with the first one, read consistently: one Query."""
    rows = query(keys.thread(root_id), between=keys.story_bounds(), consistent=True)
    yield from (raw for raw in rows if row(Reply, raw).story)


def read_answers(post: Post) -> Iterator[RawItem]:
    """Yields the raw `Reply` items that answer a post directly, read consistently. One Query of what stands below it,
    and for a part of a story another one of the parts."""
    path = post.path or ""
    bounds = [keys.branch_bounds(path)]
    if path and keys.is_of_story(path):
        bounds.append(keys.story_bounds())
    elif keys.depth_of(path) == keys.DEEPEST - 1:  # its answers stand beside it
        bounds = [keys.branch_bounds(keys.paths_above(path)[-1])]
    for between in bounds:
        rows = query(keys.thread(post.root_id or post.post_id), between=between, consistent=True)
        yield from (raw for raw in rows if row(Reply, raw).reply_to == post.post_id)

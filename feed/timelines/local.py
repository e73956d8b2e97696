"""The local timeline: everyone's posts, newest first, from partitions of one day each, spread over shards.

A partition takes 1,000 writes a second; the shard is calculated from the post id, so that a day's partition does not
become the site's limit. A page merges the shards of a day, then goes on to the day before.
"""

import heapq
import zlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice

from accounts.people.viewer import VISITOR, Viewer
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts, own_traces
from feed.posts.reads import Pointer, pointer_of
from relations.suggested import own_relations
from socialsite.clock import utc_now
from socialsite.table import (
    PAGE_SIZE,
    Key,
    Page,
    Place,
    Stretch,
    access_pattern,
    ids,
    keys,
    read_cursor,
    write_cursor,
)
from socialsite.table.reading import query_all
from socialsite.table.transport.requests import query_request

SHARDS = 4
DAYS = 7  # how long a pointer stays, and how far back people can read
DAYS_A_PAGE = 2  # a quiet site is not read back to its first day for one page
SCOPE = "public"


def shard_of(post_id: str) -> int:
    return zlib.crc32(post_id.encode()) % SHARDS


def day_of(post_id: str) -> date:
    return ids.time_of(post_id).date()


@access_pattern
def list_public(
    *, viewer: Viewer = VISITOR, cursor: str | None = None, size: int = PAGE_SIZE
) -> Page[PostCard]:
    """Returns everyone's posts, newest first, at most 7 days back. Posts of limited people are shown only to
    themselves.

    Four Queries for a day. Where it fills the page, `own_relations` and `own_traces`, and one BatchGetItem of posts,
    authors and counts: 2 + 1 + 30 read units. A quiet site takes the four Queries of the day before instead, and what
    is the viewer's own by key: 4 + 60. Cursors lead only to older posts, because newer ones are at the top. A page may
    be short, or empty, and still have a next one.
    """
    # Apps name any id. None is after now: such a day may be one that no calendar has.
    before = min(read_cursor(SCOPE, cursor).sk, latest()) if cursor else latest()
    newest_day = day_of(before)
    pointers: list[Pointer] = []
    for day in (newest_day - timedelta(days=number) for number in range(DAYS_A_PAGE)):
        if len(pointers) <= size:
            pointers += _newest_of_day(day, before, size + 1 - len(pointers))
    pointers_shown = pointers[:size]
    unsought = {pointer.author_id for pointer in pointers_shown}
    was_enough = len(pointers) > size and day_of(pointers[-1].post_id) == newest_day
    known = _own(viewer, pointers_shown) if was_enough else ()
    posts = get_posts(pointers_shown, viewer=viewer, mutes_of=unsought, known=known)
    shown = [post for post in posts if post.is_own or not post.author.is_limited]
    return Page(shown, _next_cursor(pointers, size, newest_day))


def _own(viewer: Viewer, pointers: Sequence[Pointer]) -> Sequence[Stretch]:
    return own_relations(viewer), own_traces(viewer, (one.post_id for one in pointers))


def newest_public(count: int) -> list[Pointer]:
    """Yields pointers to everyone's newest posts, newest first, as far as the local timeline goes back.

    Four Queries a day until there are enough, each of at most 0.5 read units for 24 posts.
    """
    now, pointers = latest(), list[Pointer]()
    for day in (day_of(now) - timedelta(days=number) for number in range(DAYS + 1)):
        if len(pointers) < count:
            pointers += _newest_of_day(day, now, count - len(pointers))
    return pointers


def newest_of_shards(day: date, before: str, count: int) -> list[Pointer]:
    """Returns the newest `count` of each shard of a day: four Queries, asked together."""
    # Without an author, the key sorts before every pointer to that very post.
    start = keys.pointer(before, "")
    shards = [keys.public_day(day, shard) for shard in range(SHARDS)]
    found = query_all(
        [query_request(one, after=Key(one, start), forward=False, limit=count) for one in shards]
    )
    return [pointer_of(raw) for rows in found for raw in islice(rows, count)]


def latest() -> str:
    """Returns the id before which all posts of now are."""
    return ids.last_id_before(utc_now() + timedelta(seconds=1))


def _next_cursor(pointers: list[Pointer], size: int, newest_day: date) -> str | None:
    if len(pointers) > size:
        return write_cursor(SCOPE, Place("next", pointers[size - 1].post_id))
    oldest_day = newest_day - timedelta(days=DAYS_A_PAGE - 1)
    if oldest_day <= utc_now().date() - timedelta(days=DAYS):
        return None
    midnight = datetime.combine(oldest_day, time(), UTC)
    return write_cursor(SCOPE, Place("next", ids.last_id_before(midnight)))


def _newest_of_day(day: date, before: str, count: int) -> list[Pointer]:
    return heapq.nlargest(count, newest_of_shards(day, before, count))

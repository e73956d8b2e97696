"""The local timeline: everybody's posts, newest first, from partitions of one day each, spread over shards.

A partition takes 1,000 writes a second; the shard is calculated from the post id, so that a day's partition does not
become the site's limit. A page merges the shards of a day, then goes on to the day before.
"""

import heapq
import zlib
from datetime import UTC, date, datetime, timedelta

from accounts.viewer import VISITOR, Viewer
from feed.access_patterns import Pointer, get_posts, pointer_of
from feed.cards import PostCard
from socialsite.table import ids, keys
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import PAGE_SIZE, Page, RawItem, query

SHARDS = 4
DAYS = 7  # how long a pointer stays, and how far a page looks back
SCOPE = "public"


def shard_of(post_id: str) -> int:
    return zlib.crc32(post_id.encode()) % SHARDS


def day_of(post_id: str) -> date:
    return ids.time_of(post_id).date()


@access_pattern
def list_public(
    *, viewer: Viewer = VISITOR, cursor: str | None = None, size: int = PAGE_SIZE
) -> Page[PostCard]:
    """Everybody's posts, newest first, at most 7 days back.

    Four Queries a day that it needs, then one BatchGetItem. Cursors go to older posts only: newer ones are at the
    top.
    """
    before = read_cursor(SCOPE, cursor).sk if cursor else None
    pointers = _newest_pointers(before, size + 1)
    more, pointers = len(pointers) > size, pointers[:size]
    next_cursor = write_cursor(SCOPE, Place("next", pointers[-1].post_id)) if more else None
    return Page(get_posts(pointers, viewer=viewer), next_cursor)


def _newest_pointers(before: str | None, count: int) -> list[Pointer]:
    today = datetime.now(UTC).date()
    day = day_of(before) if before else today
    pointers: list[Pointer] = []
    while len(pointers) < count and day >= today - timedelta(days=DAYS):
        pointers += _newest_of_day(day, before, count - len(pointers))
        day -= timedelta(days=1)
    return pointers


def _newest_of_day(day: date, before: str | None, count: int) -> list[Pointer]:
    newest: list[Pointer] = []
    for shard in range(SHARDS):
        newest += [pointer_of(raw) for raw in _newest_of_shard(day, shard, before, count)]
    return heapq.nlargest(count, newest)


def _newest_of_shard(day: date, shard: int, before: str | None, count: int) -> list[RawItem]:
    partition = keys.public_day(day, shard)
    # Without an author, the key sorts before every pointer to that very post.
    start = Key(partition, keys.pointer(before, "")) if before else None
    rows = query(partition, after=start, forward=False, limit=count)
    return [row for row, _ in zip(rows, range(count), strict=False)]

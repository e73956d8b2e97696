"""The people who posted here last, with the newest post of each: on Explore, in the right column, on the landing page.

They are the same for everyone, so each process keeps them for `KEPT_FOR` seconds. What must act at once (a block, a
suspension, a deleted post) is asked anew by each page that shows them. Only their numbers of followers, and who posted
in between, may be that old.
"""

import threading
import time
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from accounts.viewer import VISITOR, Viewer
from feed.cards import PostCard
from feed.local_timeline import DAYS_A_PAGE, day_of, latest, newest_of_shards
from feed.pointers import Pointer
from feed.visible_posts import get_posts
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch

ENOUGH = 30  # authors: yesterday is read if today has fewer
MOST = 40
POSTS_READ = 20  # of a shard and day: what half a read unit holds
KEPT_FOR = 30.0  # seconds


class NewestAuthors(NamedTuple):
    """Where the newest post of each author is, by author id, newest first; and the authors' counts, for the order in
    which they are shown."""

    posts: dict[str, Pointer]
    counts: dict[Key, RawItem]


class _Copy(NamedTuple):
    authors: NewestAuthors
    until: float  # on the monotonic clock


_copy: _Copy | None = None
_reading = threading.Lock()


def newest_authors() -> NewestAuthors:
    """Returns the last people who posted, from this process's copy. At most once in `KEPT_FOR` seconds it costs as much
    as `read_newest_authors`; meanwhile other threads get the copy, and wait only where there is none."""
    global _copy
    copy = _copy
    is_old = copy is None or time.monotonic() >= copy.until
    if is_old and _reading.acquire(blocking=copy is None):
        try:
            if _copy is copy:  # no other thread read while this one waited
                _copy = _Copy(read_newest_authors(), time.monotonic() + KEPT_FOR)
            copy = _copy
        finally:
            _reading.release()
    assert copy is not None
    return copy.authors


def forget_newest_authors() -> None:
    """Drops the copy, so that the next page reads anew."""
    global _copy
    _copy = None


@access_pattern
def read_newest_authors() -> NewestAuthors:
    """Reads the last 40 people who posted. Four Queries for today, four more for yesterday if that makes fewer than 30,
    0.5 read units each; then one BatchGetItem of their counts, 20 read units."""
    now, newest = latest(), dict[str, Pointer]()
    for day in (day_of(now) - timedelta(days=number) for number in range(DAYS_A_PAGE)):
        if len(newest) < ENOUGH:
            for pointer in sorted(newest_of_shards(day, now, POSTS_READ), reverse=True):
                newest.setdefault(pointer.author_id, pointer)
    posts = dict(islice(newest.items(), MOST))
    return NewestAuthors(posts, fetch(map(keys.user_count, posts)))


@access_pattern
def list_newest_by_author(*, viewer: Viewer = VISITOR, size: int) -> list[PostCard]:
    """Returns the newest post of each of the last people who posted, newest first, so that nobody fills a page alone.

    `newest_authors`, and one BatchGetItem: at most 2 read units a post. May return fewer than `size`.
    """
    pointers = list(newest_authors().posts.values())[:size]
    posts = get_posts(pointers, viewer=viewer, mutes_of={one.author_id for one in pointers})
    return [post for post in posts if not post.author.is_limited]

"""The newest posts of a widely followed author: one small item beside the author's posts.

The stream worker keeps it, from the moment at which the author begins to cross over (`stream_handlers/fan_out_post.py`,
`cross_to_pull.py`). A deleted post stays in it until others push it out. Like any pointer it then leads nowhere.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple, Self

from feed.models import Audience, Post, RecentPosts
from feed.pointers import Pointer, pointer_of, stands_in_lists
from socialsite.clock import utc_now
from socialsite.table import ids, keys
from socialsite.table.errors import Conflict, TableError
from socialsite.table.paging import PAGE_SIZE
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.table.writing import TRIES, change, create

KEPT = PAGE_SIZE  # no page of a timeline shows more by one author
LOOKED_AT = 200


class Moved(TableError):
    """The list is no longer as it was read."""


class Noted(NamedTuple):
    """A post in the list, and the moment at which it came into it, in milliseconds."""

    pointer: Pointer
    at: int
    ends: datetime | None = None

    @classmethod
    def read(cls, text: str, author_id: str) -> Self:
        post_id, at, ends, *others = text.split(",")
        end = datetime.fromtimestamp(int(ends), UTC) if ends else None
        return cls(Pointer(post_id, author_id, *others), int(at), end)

    def write(self) -> str:
        """Returns it as one text. The post's id comes first, so that texts sort by time."""
        ends = str(int(self.ends.timestamp())) if self.ends else ""
        post_id, _, *others = self.pointer
        return f"{post_id},{self.at},{ends}," + ",".join(others).rstrip(",")


class Recent(NamedTuple):
    """A list as it was read. It has every post that came into it after `since`. `changed` is the moment of its last
    change, and rises with each."""

    author_id: str
    posts: Sequence[Noted]  # the oldest first
    changed: int
    since: int


def recent_of(raw: RawItem) -> Recent:
    """Returns the list of a raw `RecentPosts`."""
    recent = row(RecentPosts, raw)
    author_id = recent.user_id
    posts = [Noted.read(text, author_id) for text in recent.posts]
    return Recent(author_id, posts, int(recent.changed), int(recent.since))


def note_recent(post: Pointer, *, ends: datetime | None) -> None:
    """Puts a post into its author's list, unless it is there. Makes the list if there is none.

    A consistent BatchGetItem, 1 read unit, and a conditional write, 1 write unit per KB. To make the list also a
    consistent Query of the newest posts. Safe to run twice, and beside others: a write needs the list as it was read.
    """
    _note([Noted(post, 0, ends)], post.author_id)


def mend_recent(author_id: str) -> None:
    """Puts those of an author's newest posts into the list that it lacks, and makes the list if there is none. A
    consistent Query of the newest posts, 1 write unit per KB, and what `note_recent` costs if the list is there."""
    newest = _newest_for_followers(author_id)
    if not _begin(author_id, newest):
        _note(newest, author_id)


def _note(posts: Sequence[Noted], author_id: str) -> None:
    key = keys.recent_posts(author_id)
    for _ in range(TRIES):
        raw = fetch([key], consistent=True).get(key)
        if raw is None:
            ids_to_note = {one.pointer.post_id for one in posts}
            _begin(author_id, _newest_for_followers(author_id), without=ids_to_note)
            continue
        recent = recent_of(raw)
        known = {one.pointer.post_id for one in recent.posts}
        missing = [one for one in posts if one.pointer.post_id not in known]
        if not missing:
            return
        with suppress(Moved):
            _replace(recent, _with(recent, missing))
            return
    raise Conflict("others keep changing the list")


def _begin(author_id: str, newest: Sequence[Noted], *, without: Collection[str] = ()) -> bool:
    """Makes a list of an author's newest posts. Returns whether there was none.

    These posts count as noted when they were made: they were fanned out, or come to a new follower with the follow.
    """
    since = newest[0].at if len(newest) == KEPT else 0
    posts = [one for one in newest if one.pointer.post_id not in without]
    changed = posts[-1].at if posts else since
    with suppress(Moved):
        create(
            RecentPosts.new(
                user_id=author_id,
                posts={one.write() for one in posts},
                changed=changed,
                since=since,
            ),
            otherwise=Moved,
        )
        return True
    return False


def _newest_for_followers(author_id: str) -> list[Noted]:
    """Returns the newest posts for all followers, the oldest of them first."""
    rows = query(keys.posts(author_id), forward=False, limit=KEPT, consistent=True)
    wanted = (raw for raw in islice(rows, LOOKED_AT) if is_for_followers(raw))
    return [_noted_when_made(raw) for raw in islice(wanted, KEPT)][::-1]


def is_for_followers(raw: RawItem) -> bool:
    """Whether a raw post or repost goes to all followers: by its audience, and as no answer to someone else."""
    post = row(Post, raw)
    return post.audience in ("", Audience.EVERYONE, Audience.FOLLOWERS) and stands_in_lists(post)


def _noted_when_made(raw: RawItem) -> Noted:
    post = row(Post, raw)
    made = int(ids.time_of(post.post_id).timestamp() * 1000)
    return Noted(pointer_of(raw), made, post.ttl)


def _with(recent: Recent, missing: Sequence[Noted]) -> Recent:
    """Returns the list with these posts, noted now. The newest stay, and `since` says that others are gone."""
    now = max(int(utc_now().timestamp() * 1000), recent.changed + 1)
    posts = [*recent.posts, *(one._replace(at=now) for one in missing)]
    posts.sort(key=lambda one: one.pointer.post_id)
    since = max([recent.since, *(one.at for one in posts[:-KEPT])])
    return Recent(recent.author_id, posts[-KEPT:], now, since)


def _replace(old: Recent, new: Recent) -> None:
    change(
        RecentPosts,
        keys.recent_posts(new.author_id),
        [
            RecentPosts.posts.set({one.write() for one in new.posts}),
            RecentPosts.changed.set(new.changed),
            RecentPosts.since.set(new.since),
        ],
        condition=RecentPosts.changed == old.changed,
        otherwise=Moved,
    )

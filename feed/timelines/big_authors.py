"""The posts of widely followed authors, which are not fanned out, and the newest of everyone who is in a list.

The stream worker keeps one small item of an author's newest posts beside them, from the moment at which the author
begins to cross over (`cross_step` in `fan_out_stream.py`). A deleted post stays in it until others push it out. Like
any pointer it then leads nowhere.

Home shows from memory what came into the lists since a reader's timeline was last merged with them, so nothing is
missed or waits for the worker. The first page of a timeline also asks the worker to write it into the reader's own
partition, once (`merge_step` in `stream.py`). `UserSettings.merged` is the state of all lists at that time: while it is
the same, there is no news.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple, Self

from accounts.models import UserInfo, UserSettings
from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post, TimelineEntry
from feed.posts.reads import Pointer, entry_of, goes_out, mute_keys, pointer_of
from feed.timelines.models import RecentPosts
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.streams import Job, JobKind
from socialsite.table import (
    PAGE_SIZE,
    TRIES,
    AlreadyExists,
    Conflict,
    NotFound,
    RawItem,
    TableError,
    access_pattern,
    change,
    create,
    fetch,
    ids,
    keys,
    query,
    row,
)

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


class NewestPosts(NamedTuple):
    """A list as it was read. It has every post that came into it after `since`. `changed` is the moment of its last
    change, and rises with each."""

    author_id: str
    posts: Sequence[Noted]  # the oldest first
    changed: int
    since: int


def recent_of(raw: RawItem) -> NewestPosts:
    """Returns the list of a raw `RecentPosts`."""
    recent = row(RecentPosts, raw)
    author_id = recent.user_id
    posts = [Noted.read(text, author_id) for text in recent.posts]
    return NewestPosts(author_id, posts, int(recent.changed), int(recent.since))


def note_recent(post: Pointer, *, ends: datetime | None) -> None:
    """Puts a post into its author's list, unless it is there. Makes the list if there is none.

    A consistent BatchGetItem, 1 read unit, and a conditional write, 1 write unit per KB. To make the list also a
    consistent Query of the newest posts. Safe to run twice, and beside others: a write needs the list as it was read.
    """
    _note([Noted(post, 0, ends)], post.author_id)


def heard_at(author_id: str, *, follows: bool) -> str:
    """Returns the partition under which an open page hears of someone's new posts. Of those for followers only pages
    of whoever follows hear: that and when they come is hidden from others as they are."""
    return keys.followers(author_id) if follows else keys.user(author_id)


def mend_recent(author_id: str) -> None:
    """Puts those of an author's newest posts into the list that it lacks, and makes the list if there is none. A
    consistent Query of the newest posts, 1 write unit per KB, and what `note_recent` costs if the list is there."""
    newest = _newest_for_followers(author_id)
    if not _begin(author_id, newest):
        _note(newest, author_id)


def keep_newest(author_id: str) -> None:
    """Notes that someone has the author in a list, so that each new post comes into the list of their newest, and makes
    that list if there is none. Does nothing if they are gone.

    A consistent BatchGetItem of the author, 1 read unit per 4 KB, 1 write unit per KB, and what `mend_recent` costs. Of
    an author who was noted before a Query and a BatchGetItem more, and no write.
    """
    key = keys.user_info(author_id)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        return
    if row(UserInfo, raw).listed:
        _note(_newest_for_followers(author_id), author_id)
        return
    with suppress(NotFound):
        change(UserInfo, key, [UserInfo.listed.set("yes")])
        mend_recent(author_id)


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
    return post.audience in ("", Audience.EVERYONE, Audience.FOLLOWERS) and goes_out(post)


def _noted_when_made(raw: RawItem) -> Noted:
    post = row(Post, raw)
    made = int(ids.time_of(post.post_id).timestamp() * 1000)
    return Noted(pointer_of(raw), made, post.ttl)


def _with(recent: NewestPosts, missing: Sequence[Noted]) -> NewestPosts:
    """Returns the list with these posts, noted now. The newest stay, and `since` says that others are gone."""
    now = max(int(utc_now().timestamp() * 1000), recent.changed + 1)
    posts = [*recent.posts, *(one._replace(at=now) for one in missing)]
    posts.sort(key=lambda one: one.pointer.post_id)
    since = max([recent.since, *(one.at for one in posts[:-KEPT])])
    return NewestPosts(recent.author_id, posts[-KEPT:], now, since)


def _replace(old: NewestPosts, new: NewestPosts) -> None:
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


LATE = timedelta(minutes=5)  # how much later than its moment a post may come into its list


class Merged(NamedTuple):
    """The state of a reader's lists when they were last merged: the moment of the newest change, in milliseconds, and
    a digest that differs as soon as any list does. The default is the state of timelines that never were."""

    moment: int = 0
    digest: str = ""

    @classmethod
    def read(cls, text: str) -> "Merged":
        moment, _, digest = text.partition(".")
        return cls(int(moment or 0), digest)

    @classmethod
    def of(cls, lists: Sequence[NewestPosts]) -> "Merged":
        changes = sorted(f"{one.author_id}:{one.changed}" for one in lists)
        digest = blake2b(" ".join(changes).encode(), digest_size=8).hexdigest()
        return cls(max((one.changed for one in lists), default=0), digest)

    def write(self) -> str:
        return f"{self.moment}.{self.digest}"

    @property
    def since(self) -> int:
        """Whatever was noted after this moment, in milliseconds, may not be in the timeline."""
        return self.moment - int(LATE.total_seconds() * 1000)


@dataclass(frozen=True, slots=True)
class News:
    """Entries that may not be in a reader's timeline yet, as they would be stored, and the state of all lists. The
    state is empty if it is the one that was merged."""

    entries: Sequence[RawItem] = ()
    state: str = ""


NO_NEWS = News()


@access_pattern
def get_news(viewer: Viewer) -> News:
    """Returns the news for a viewer's timeline, without that of people they mute.

    Nothing is read if they pull nobody. Otherwise a BatchGetItem of each author's `RecentPosts`, for up to 100 authors
    a call, 0.5 read units a key. If there is news, also one of the mutes of its authors.
    """
    if not viewer.pulled:
        return NO_NEWS
    lists = read_lists(viewer.pulled)
    merged, state = Merged.read(viewer.merged), Merged.of(lists)
    if state == merged:
        return NO_NEWS
    fresh = [one for recent in lists for one in noted_since(recent, merged)]
    mutes = mute_keys(viewer, {one.pointer.author_id for one in fresh})
    found = fetch(mutes.values())
    muted = {author_id for author_id, key in mutes.items() if is_in_force(found.get(key))}
    wanted = (one for one in fresh if one.pointer.author_id not in muted)
    entries = [entry_of_noted(one, viewer.user_id).serialize() for one in wanted]
    return News(entries, state.write())


def read_lists(author_ids: Collection[str], *, consistent: bool = False) -> list[NewestPosts]:
    """Returns the lists of those authors who have one."""
    found = fetch(map(keys.recent_posts, author_ids), consistent=consistent)
    return [recent_of(raw) for raw in found.values()]


def noted_since(recent: NewestPosts, merged: Merged) -> Iterator[Noted]:
    """Yields the posts of a list that may not be in a timeline yet, and whose entry would still be there."""
    now = utc_now()
    for one in recent.posts:
        if one.at > merged.since and entry_of_noted(one, "").ttl > now:
            yield one


def entry_of_noted(noted: Noted, reader_id: str) -> TimelineEntry:
    return entry_of(noted.pointer, reader_id, ends=noted.ends)


@access_pattern
def ask_to_merge(viewer: Viewer, news: News) -> None:
    """Lets the worker write the news into the viewer's timeline: one PutItem, 1 write unit. Does nothing without news,
    or if the worker was already asked."""
    if not news.state:
        return
    user_id = viewer.user_id
    job_id = f"{user_id}-{news.state}"
    with suppress(AlreadyExists):
        create(
            Job.new(kind=JobKind.MERGE_PULLED, job_id=job_id, subject_id=user_id, until=news.state)
        )


def learn_to_pull(user_id: str, author_id: str) -> None:
    """Notes in someone's settings whose posts to merge in. It is a set, so repeating changes nothing."""
    try:
        change(UserSettings, keys.user_settings(user_id), [UserSettings.pulled.add({author_id})])
    except NotFound:  # the account is gone
        return


def forget_to_pull(user_id: str, author_id: str) -> None:
    try:
        change(UserSettings, keys.user_settings(user_id), [UserSettings.pulled.delete({author_id})])
    except NotFound:
        return

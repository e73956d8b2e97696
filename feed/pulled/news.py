"""What widely followed authors posted since a reader's timeline was last merged with their lists (`recent.py`).

Home shows it from memory, so nothing is missed or waits for the worker. The first page of a timeline also asks the
worker to write it into the reader's own partition, once (`stream_handlers/merge_pulled.py`). `UserSettings.merged` is
the state of all lists at that time: while it is the same, there is no news.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import NamedTuple

from accounts.viewer import Viewer
from feed.models import TimelineEntry
from feed.pointers import entry_of
from feed.pulled.recent import Noted, Recent, recent_of
from feed.visibility import mute_keys
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.writing import create

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
    def of(cls, lists: Sequence[Recent]) -> "Merged":
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


def read_lists(author_ids: Collection[str], *, consistent: bool = False) -> list[Recent]:
    """Returns the lists of those authors who have one."""
    found = fetch(map(keys.recent_posts, author_ids), consistent=consistent)
    return [recent_of(raw) for raw in found.values()]


def noted_since(recent: Recent, merged: Merged) -> Iterator[Noted]:
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

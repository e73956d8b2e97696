"""Posts from before, and what the worker does about them on later days."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from unittest.mock import patch

from accounts.people.viewer import Viewer
from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from privacy.old_posts.reads import Choice, Kept, Kind
from privacy.old_posts.writes import delete_old_posts, wish_old_posts_gone
from socialsite import clock
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.table import as_model, ids, keys, query
from tests.conftest import post

ALL = frozenset(Kind)
EVERYTHING = Choice(ALL, frozenset())


@contextmanager
def days_ago(days: float) -> Iterator[None]:
    """What is published meanwhile is from that day."""
    begun, milliseconds = clock.utc_now() - timedelta(days=days), count()

    def new_id() -> str:
        return ids.id_at(begun + timedelta(milliseconds=next(milliseconds)), os.urandom(10))

    with patch.object(ids, "new_id", new_id):
        yield


@contextmanager
def days_later(days: float) -> Iterator[datetime]:
    """The site's clock, which stands still."""
    now = datetime.now(UTC) + timedelta(days=days)

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None) -> datetime:
            return now

    with patch.object(clock, "datetime", Clock):
        yield now


def old_post(author: Viewer, days: float = 40, content: str = "Hello") -> str:
    with days_ago(days):
        return post(author, content)


def old_repost(by: Viewer, author: Viewer, post_id: str, days: float = 40) -> None:
    with days_ago(days):
        repost(by=by, post=Pointer(post_id, author.user_id))


def delete_all(by: Viewer, choice: Choice = EVERYTHING) -> None:
    delete_old_posts(by=by, choice=choice)


def wish(by: Viewer, days: int = 30, choice: Choice = EVERYTHING) -> None:
    wish_old_posts_gone(by=by, days=days, choice=choice)


def keeping(*kept: Kept) -> Choice:
    return Choice(ALL, frozenset(kept))


def own(person: Viewer) -> list[str]:
    """The ids of what stands among a person's posts, the oldest first."""
    rows = query(keys.posts(person.user_id), consistent=True)
    return [raw["post_id"]["S"] for raw in rows]


def planned() -> list[Due]:
    return [
        as_model(Due, raw)
        for shard in range(keys.DUE_SHARDS)
        for raw in query(keys.due_shard(shard), consistent=True)
    ]


def a_day_of_work(drain: Callable[[], None], *, day: float = 0) -> None:
    """What the clock and the worker do on this day from now."""
    with days_later(day) as now:
        do_due(now)
        drain()

"""Who leaves for a while and comes back, and what their timeline then points at."""

from datetime import UTC, datetime, timedelta

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from accounts.sign_in.writes import sign_in
from feed.posts.models import TimelineEntry
from relations.models import Follower, Following
from socialsite.streams.worker import Worker
from socialsite.table import change, keys, query, row


def leave(person: Viewer, worker: Worker, *, days: int) -> None:
    """The person was here last so many days ago."""
    last_here(person, (datetime.now(UTC) - timedelta(days=days)).date().isoformat())
    worker.drain()


def last_here(person: Viewer, day: str) -> None:
    """The person was here last on this day, and no edge of a follow says a later one."""
    change(UserSettings, keys.user_settings(person.user_id), [UserSettings.seen.set(day)])
    for raw in query(keys.followings(person.user_id), consistent=True):
        edge = keys.follower(row(Following, raw).followed_id, person.user_id)
        change(Follower, edge, [Follower.seen.set(day)])


def come_back(person: Viewer) -> None:
    sign_in(user_id=person.user_id, browser="tests")


def pointers(person: Viewer) -> list[str]:
    rows = query(keys.timeline(person.user_id), forward=False, consistent=True)
    return [row(TimelineEntry, raw).post_id for raw in rows]

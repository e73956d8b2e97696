"""Very many followers, and people who were away, arranged."""

from datetime import UTC, datetime, timedelta

from accounts.models import HandleClaim, UserCount, UserInfo, UserSettings
from accounts.people.viewer import Viewer
from accounts.sessions import get_viewer, hash_secret, today
from accounts.sign_in.writes import sign_in
from feed.home.reads import get_timeline
from feed.posts.models import TimelineEntry
from feed.timelines.big_authors import ask_to_merge, get_news
from relations.follows.writes import follow
from relations.models import Follower, Following
from socialsite.streams.models import Job, JobKind
from socialsite.streams.worker import Worker
from socialsite.table import Item, as_model, change, fetch, ids, keys, query, row, write_batch
from socialsite.table.reading import scan


def crowd(size: int, *, seen: str = "") -> list[Viewer]:
    """People in the order of their ids, last here on the day `seen`, today if not said."""
    people = [Viewer(ids.new_id()) for _ in range(size)]
    items = [
        item
        for one in people
        for item in (
            UserInfo.new(user_id=one.user_id, handle=f"x{one.user_id.lower()}", name="Somebody"),
            UserCount.new(user_id=one.user_id),
            UserSettings.new(user_id=one.user_id, seen=seen or today()),
            HandleClaim.new(handle=f"x{one.user_id.lower()}", user_id=one.user_id),
        )
    ]
    write_batch(puts=items)
    return people


def gather(people: list[Viewer], author: Viewer) -> list[Viewer]:
    """All of them follow the author."""
    for one in people:
        follow(by=one, user_id=author.user_id)
    return people


def returning(person: Viewer) -> Viewer:
    """The person signed in anew, read as each of their requests reads them."""
    secret = sign_in(user_id=person.user_id, browser="tests")
    return get_viewer(person.user_id, hash_secret(secret))[0]


def home(person: Viewer) -> list[str]:
    """The posts on the first page of someone's timeline."""
    return [card.post_id for card in get_timeline(returning(person)).items]


def open_home(person: Viewer) -> None:
    """The person opens home, which asks the worker to merge the news of those whom they pull."""
    viewer = returning(person)
    ask_to_merge(viewer, get_news(viewer))


def reached(people: list[Viewer], post_id: str, author: Viewer) -> int:
    """In how many timelines a pointer to the post is."""
    entries = [keys.timeline_entry(one.user_id, post_id, author.user_id) for one in people]
    return len(fetch(entries, consistent=True))


def jobs(kind: JobKind) -> list[Job]:
    """The open jobs of a kind, in whatever partitions."""
    return [
        job for raw in scan() if isinstance(job := as_model(Item, raw), Job) and job.kind == kind
    ]


# Who leaves for a while and comes back, and what their timeline then points at.


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

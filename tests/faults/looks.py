"""What the crash tests look at when all is drained: the table's invariants, and what people see."""

from dataclasses import replace

from accounts.models import UserInfo, UserSettings
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.likes.reads import get_like_count
from feed.posts.models import Post
from feed.timelines.local import list_public
from notifications.models import Notification
from socialsite.streams.archive import list_files, read_lines
from socialsite.streams.models import Job
from socialsite.streams.status import list_dead_letters
from socialsite.table import fetch, is_expired, keys, query, reading, row
from socialsite.table.reading import scan
from tests.faults.processes import wait_until
from tests.looks import broken_invariants


def assert_all_is_well() -> None:
    """What holds after every scenario: the invariants, no job left, posts for everyone, but no replies, once in the
    local timeline."""
    assert broken_invariants() == {}
    # Settling begins again now and then while a suspect lives, and lasts a moment.
    wait_until(lambda: open_jobs() == [], seconds=30)
    assert list_dead_letters() == []
    public = [card.post_id for card in list_public(size=200).items]
    assert sorted(public) == sorted(
        post.post_id
        for post in (
            row(Post, raw) for raw in scan() if raw["type"]["S"] == "Post" and not is_expired(raw)
        )
        if not post.audience and not post.root_id
    )


def told_of(person: Viewer) -> list[tuple[str, int]]:
    """The kinds of a person's notifications, newest first, each with how many people it counts."""
    rows = query(keys.notifications(person.user_id), forward=False)
    notes = (row(Notification, raw) for raw in rows)
    return [(note.kind, int(note.people)) for note in notes]


def open_jobs() -> list[str]:
    return [str(reading.key_of(raw)) for raw in scan() if raw["type"]["S"] == Job.__name__]


def posts_of(author: Viewer) -> list[str]:
    """Newest first."""
    rows = query(keys.posts(author.user_id), forward=False)
    return [row(Post, raw).post_id for raw in rows]


def timeline_of(viewer: Viewer) -> list[str]:
    """The ids of the posts that someone sees at home now, whether fanned out or pulled."""
    own = settings_of(viewer)
    viewer = replace(viewer, pulled=tuple(own.pulled), merged=own.merged)
    page = get_timeline(viewer)
    seen = [card.post_id for card in page.items]
    while page.next_cursor:
        page = get_timeline(viewer, cursor=page.next_cursor)
        seen += [card.post_id for card in page.items]
    return seen


def entries_of(viewer: Viewer) -> list[str]:
    """The ids of the posts that someone's timeline entries point at."""
    return [row(Post, raw).post_id for raw in query(keys.timeline(viewer.user_id))]


def pulled_by(viewer: Viewer) -> tuple[str, ...]:
    return tuple(settings_of(viewer).pulled)


def settings_of(viewer: Viewer) -> UserSettings:
    key = keys.user_settings(viewer.user_id)
    return row(UserSettings, fetch([key]).get(key, {}))


def reading_of(author: Viewer) -> str:
    key = keys.user_info(author.user_id)
    return row(UserInfo, fetch([key])[key]).reading


def counts_of(viewer: Viewer) -> tuple[int | None, int | None, int | None]:
    """Followers, following, posts."""
    card = get_user_info(viewer.user_id)
    return card.followers, card.following, card.posts


def likes_of(post_id: str) -> int:
    return get_like_count(post_id)


def archived() -> list[str]:
    """The sort keys of the archive's lines, each removal as often as a reader of the archive meets it."""
    return [line["sk"] for line in read_lines(list_files())]

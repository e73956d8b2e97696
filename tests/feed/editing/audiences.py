"""What tests of a changed audience share: Alice's readers, and a post that she gives another audience."""

from django.test import Client

from accounts.models import UserCount
from accounts.people.viewer import Viewer
from feed.cards.reads import get_post
from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from feed.publishing.writes import publish_post
from relations.follows.writes import follow
from relations.friends.writes import create_circle, file_friend
from socialsite.table import NotFound, get, ids, keys, query
from tests.conftest import person
from tests.relations.relations import befriend

EVERYONE, FOLLOWERS, FRIENDS, ONLY_ME = (
    Audience.EVERYONE,
    Audience.FOLLOWERS,
    Audience.FRIENDS,
    Audience.ONLY_ME,
)


def readers_of(alice: Viewer) -> dict[str, Viewer]:
    """A follower, a friend, a friend in a circle of hers, and a stranger; the friends do not follow."""
    names = {"follower": "fay", "friend": "fred", "circle": "cleo", "stranger": "stan"}
    readers = {kind: person(handle) for kind, handle in names.items()}
    follow(by=readers["follower"], user_id=alice.user_id)
    for kind in ("friend", "circle"):
        befriend(alice, readers[kind])
    return readers


def circle_of(alice: Viewer, member: Viewer) -> str:
    circle_id = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=member.user_id, circles=[circle_id], note="")
    return circle_id


def say(author: Viewer, audience: str, circle: str = "", content: str = "Hello") -> str:
    return publish_post(
        by=author, content=content, nonce=ids.new_id(), audience=audience, circle=circle
    )


def show_to(author: Viewer, post_id: str, audience: str, circle: str = "") -> None:
    change_audience(by=author, post_id=post_id, audience=audience, circle=circle)


def choose(browser: Client, post_id: str, audience: str, **extra):
    return browser.post(f"/@alice/posts/{post_id}/audience", {"audience": audience}, **extra)


def entries(viewer: Viewer) -> list[str]:
    rows = query(keys.timeline(viewer.user_id), forward=False, consistent=True)
    return [raw["post_id"]["S"] for raw in rows]


def counts(person) -> tuple[int, int]:
    count = get(UserCount, keys.user_count(person.user_id), consistent=True)
    return int(count.posts), int(count.closed)


def sees(viewer, post_id: str, author) -> bool:
    try:
        get_post(post_id, author.user_id, viewer=viewer)
    except NotFound:
        return False
    return True

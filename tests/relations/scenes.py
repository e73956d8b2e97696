"""Relations between people, and people whom someone may know, arranged."""

from datetime import timedelta

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.profile.writes import save_privacy
from feed.home.reads import list_few_to_follow
from relations.friends.writes import accept_friend, request_friend
from relations.models import Following
from relations.reads import Relationship, relationship_keys, relationship_of
from relations.suggested import MOST, Suggestion, look_for_people
from socialsite.clock import utc_now
from socialsite.streams.models import JobKind
from socialsite.table import Item, fetch, keys, write_batch

ON, OFF = {"on": "1"}, {"on": "0"}
ACCEPT, DECLINE, WITHDRAW = ({"answer": word} for word in ("accept", "decline", "withdraw"))


def relationship(viewer: Viewer, other: Viewer) -> Relationship:
    """What the first sees between them and the second."""
    return relationship_of(viewer, other.user_id, fetch(relationship_keys(viewer, other.user_id)))


def befriend(one: Viewer, other: Viewer) -> None:
    request_friend(by=one, user_id=other.user_id)
    accept_friend(by=other, user_id=one.user_id)


def lock_older_posts(person: Viewer, *, locked: bool = True) -> None:
    """Makes the posts of until tomorrow posts for followers, or takes that back."""
    edge = utc_now() + timedelta(days=1) if locked else None
    save_privacy(
        by=person, locked=False, archived_before=edge, not_suggested=False, not_indexed=False
    )


def lock(person: Viewer, *, locked: bool = True) -> None:
    save_privacy(
        by=person, locked=locked, archived_before=None, not_suggested=False, not_indexed=False
    )


# People around someone, of any number, with the least that looking for suggestions needs.


def shown(*, viewer: Viewer, size: int = MOST) -> list[Suggestion]:
    """Whom the site shows the person at this moment, best first, without the people who only post here."""
    return list_few_to_follow(viewer=viewer, size=size).known


def people_you_may_know(*, viewer: Viewer, size: int = MOST) -> list[Suggestion]:
    """Whom the site shows the person as soon as the worker has looked, if the page asked for it."""
    found = shown(viewer=viewer, size=size)
    job = keys.own_job(viewer.user_id, JobKind.LOOK_FOR_PEOPLE, viewer.user_id)
    if not fetch([job], consistent=True):
        return found
    look_for_people(viewer.user_id)
    write_batch(deletes=[job])
    return shown(viewer=viewer, size=size)


def reasons(viewer: Viewer) -> dict[str, str]:
    """Whom the person is suggested, best first, and why."""
    return {one.person.handle: one.reason for one in people_you_may_know(viewer=viewer)}


def look_anew(viewer: Viewer) -> None:
    """Forgets what was found."""
    write_batch(deletes=[keys.suggestions(viewer.user_id)])


def crowd(count: int, name: str = "one") -> list[UserInfo]:
    handles = [f"{name}_{number}" for number in range(count)]
    infos = [
        UserInfo.new(user_id=f"{handle:>26}", handle=handle, name=handle) for handle in handles
    ]
    write_batch(puts=infos)
    return infos


def follow_each(follower_ids: list[str], followed_ids: list[str]) -> None:
    edges: list[Item] = [
        Following.new(user_id=one, followed_id=other)
        for one in follower_ids
        for other in followed_ids
    ]
    write_batch(puts=edges)

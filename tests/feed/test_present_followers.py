"""Whom a fan-out takes for being here: what the follower's edge says is enough while its day is not long ago."""

from datetime import timedelta

import pytest

from accounts.people.viewer import Viewer
from feed.timelines.writes import present_followers
from relations.checks import FollowInvariants
from relations.follows.writes import accept_follow_request, follow, request_follow, unfollow
from relations.models import Follower
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import Item, RawItem, change, fetch, get, keys, row
from socialsite.table.reading import scan
from tests.conftest import post
from tests.feed.conftest import listen
from tests.relations.relations import lock
from tests.streams.absence import last_here, pointers
from tests.streams.crowd import crowd, gather, reached


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


def day(days_ago: int) -> str:
    return (utc_now() - timedelta(days=days_ago)).date().isoformat()


def edge(author: Viewer, follower: Viewer) -> RawItem:
    key = keys.follower(author.user_id, follower.user_id)
    return fetch([key], consistent=True)[key]


def noted(author: Viewer, follower: Viewer) -> str | None:
    return get(Follower, keys.follower(author.user_id, follower.user_id), consistent=True).seen


def note(author: Viewer, follower: Viewer, what: str | None) -> None:
    action = Follower.seen.set(what) if what else Follower.seen.remove()
    change(Follower, keys.follower(author.user_id, follower.user_id), [action])


def settings_read(worker: Worker, people: list[Viewer]) -> int:
    """How many of their settings the worker reads while it does what is in the stream."""
    theirs = {keys.user_settings(one.user_id).pk for one in people}
    with listen() as requests:
        worker.drain()
    return sum(
        key["PK"]["S"] in theirs
        for made in requests.made
        if made.operation == "BatchGetItem"
        for table in made.parameters["RequestItems"].values()
        for key in table["Keys"]
    )


def test_the_settings_of_people_who_followed_lately_are_not_read(alice, worker):
    fans = gather(crowd(4), alice)
    worker.drain()
    post_id = post(alice)
    assert settings_read(worker, fans) == 0
    assert reached(fans, post_id, alice) == 4


@pytest.mark.parametrize("inline", [1, 500], ids=["by a job", "at once"])
def test_an_edge_from_before_is_asked_about_once(alice, worker, settings, inline):
    settings.FAN_OUT_INLINE = inline
    fans = gather(crowd(3), alice)
    for fan in fans:
        note(alice, fan, None)
    worker.drain()
    first = post(alice)
    assert settings_read(worker, fans) == 3
    second = post(alice)
    assert settings_read(worker, fans) == 0
    assert [reached(fans, one, alice) for one in (first, second)] == [3, 3]
    assert [noted(alice, fan) for fan in fans] == [day(0)] * 3


def test_an_edge_is_enough_on_the_last_day_and_no_longer(alice, worker, settings):
    fans = gather(crowd(2), alice)
    worker.drain()
    for fan, more in zip(fans, (0, 1), strict=True):
        note(alice, fan, day(settings.ABSENT_AFTER_DAYS + more))
    post(alice)
    assert settings_read(worker, fans) == 1


def test_people_who_came_back_get_the_post_and_their_edge_says_so(alice, bob, worker, settings):
    follow(by=bob, user_id=alice.user_id)
    worker.drain()
    note(alice, bob, day(settings.ABSENT_AFTER_DAYS + 5))
    post_id = post(alice)
    worker.drain()
    assert pointers(bob) == [post_id]
    assert noted(alice, bob) == day(0)


def test_people_who_are_away_get_nothing_and_their_edge_stays(alice, bob, worker, settings):
    follow(by=bob, user_id=alice.user_id)
    long_ago = day(settings.ABSENT_AFTER_DAYS + 1)
    last_here(bob, long_ago)
    worker.drain()
    post(alice)
    worker.drain()
    assert pointers(bob) == []
    assert noted(alice, bob) == long_ago


def test_a_step_notes_few_days_and_reaches_everyone(alice, worker, monkeypatch):
    monkeypatch.setattr("feed.timelines.writes.NOTED_AT_ONCE", 2)
    fans = gather(crowd(5), alice)
    for fan in fans:
        note(alice, fan, None)
    worker.drain()
    post_id = post(alice)
    worker.drain()
    assert reached(fans, post_id, alice) == 5
    assert sum(bool(noted(alice, fan)) for fan in fans) == 2


def test_noting_a_day_brings_no_ended_follow_back(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    note(alice, bob, None)
    read = edge(alice, bob)
    unfollow(by=bob, user_id=alice.user_id)
    assert present_followers([row(Follower, read)]) == [bob.user_id]
    assert not fetch([keys.follower(alice.user_id, bob.user_id)], consistent=True)


def test_the_day_of_an_edge_only_grows(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    note(alice, bob, None)
    read = edge(alice, bob)
    later = day(-1)
    note(alice, bob, later)
    assert present_followers([row(Follower, read)]) == [bob.user_id]
    assert noted(alice, bob) == later


def test_an_answer_to_a_request_says_no_day_because_the_follower_may_be_away(alice, bob):
    lock(alice)
    request_follow(by=bob, user_id=alice.user_id)
    accept_follow_request(by=alice, user_id=bob.user_id)
    assert noted(alice, bob) is None


def test_the_audit_finds_an_edge_with_a_day_on_which_nobody_was_here(alice, bob):
    def found() -> list[str]:
        follows = FollowInvariants()
        for raw in scan():
            follows.add(Item.from_raw_data(raw))
        return follows.results()["followers were here as late as their edges say"]

    follow(by=bob, user_id=alice.user_id)
    note(alice, bob, day(-1))  # midnight may pass within a page
    assert not found()
    note(alice, bob, day(-2))
    assert found() == [f"{bob.user_id} → {alice.user_id}: {day(-2)}"]

"""Whom a fan-out reaches: who is here, who left, and who is muted."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import UserInfo, UserSettings
from accounts.people.viewer import Viewer
from feed.posts.models import Audience, TimelineEntry
from feed.posts.reads import timeline_end
from feed.timelines.writes import present_followers
from relations.blocks.writes import NEVER_ENDS, block, carry_mute_over, mute, unmute
from relations.checks import FollowInvariants
from relations.follows.writes import accept_follow_request, follow, request_follow, unfollow
from relations.friends.writes import end_friendship
from relations.models import Follower, Relation, RelationType
from relations.relation import update_relation
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import (
    Item,
    NotFound,
    RawItem,
    change,
    fetch,
    get,
    ids,
    keys,
    query,
    row,
    write_batch,
)
from socialsite.table.connection import client
from socialsite.table.reading import scan
from tests.conftest import post
from tests.feed.conftest import listen
from tests.feed.scenes import clock_at, entries
from tests.feed.test_audience import say
from tests.looks import broken_invariants
from tests.relations.scenes import befriend, lock
from tests.streams.crowd import crowd, gather, home, last_here, pointers, reached, returning


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


# Whoever follows or mutes no more keeps or gets back what they still see as a friend, and nothing else.

FAMILY, WORK = "family", "work"


@pytest.fixture
def friends(alice, bob, drain_stream):
    """Alice and Bob are friends; she has him in her family."""
    befriend(alice, bob)
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags={FAMILY})
    drain_stream()


@pytest.fixture
def followed(alice, bob, friends, drain_stream) -> list[str]:
    """Bob follows Alice and has all of her posts in his timeline; named are those for him as a friend."""
    follow(by=bob, user_id=alice.user_id)
    post(alice)
    seen = [say(alice, Audience.FRIENDS), say(alice, Audience.CIRCLE, FAMILY)]
    say(alice, Audience.CIRCLE, WORK)
    public, _ = post(alice), say(alice, Audience.FOLLOWERS)
    drain_stream()
    assert {*seen, public} < set(entries(bob))
    return seen[::-1]


@pytest.mark.usefixtures("friends")
def test_an_unfollow_leaves_what_is_for_friends(alice, bob, followed, drain_stream):
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert entries(bob) == home(bob) == followed


@pytest.mark.usefixtures("friends")
def test_it_leaves_nothing_to_who_is_a_friend_no_more(alice, bob, followed, drain_stream):
    unfollow(by=bob, user_id=alice.user_id)
    end_friendship(by=alice, user_id=bob.user_id)
    drain_stream()
    assert entries(bob) == []


@pytest.mark.usefixtures("friends")
def test_it_leaves_nothing_for_a_circle_that_one_has_left(alice, bob, followed, drain_stream):
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags={WORK})
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert not set(followed[:1]) & set(entries(bob))
    assert len(entries(bob)) == 2


@pytest.mark.usefixtures("friends")
@pytest.mark.usefixtures("followed")
@pytest.mark.parametrize("first", ["mute", "unfollow"])
def test_whom_one_mutes_leaves_whole(alice, bob, drain_stream, first):
    acts = {"mute": mute, "unfollow": unfollow}
    for name in sorted(acts, key=first.__ne__):
        acts[name](by=bob, user_id=alice.user_id)
        drain_stream()
    assert entries(bob) == []


@pytest.mark.usefixtures("friends")
@pytest.mark.usefixtures("followed")
def test_whom_one_blocks_leaves_whole(alice, bob, drain_stream):
    block(by=bob, user_id=alice.user_id)
    drain_stream()
    assert entries(bob) == []


@pytest.mark.usefixtures("friends")
@pytest.mark.parametrize("ends", ["by hand", "by itself"])
def test_the_end_of_a_mute_brings_back_what_is_for_a_friend_who_does_not_follow(
    alice, bob, drain_stream, ends
):
    early = say(alice, Audience.FRIENDS)
    drain_stream()
    end = datetime.now(UTC) + timedelta(hours=1)
    mute(by=bob, user_id=alice.user_id, until=end if ends == "by itself" else None)
    missed = [say(alice, Audience.FRIENDS), say(alice, Audience.CIRCLE, FAMILY)]
    say(alice, Audience.CIRCLE, WORK)
    post(alice)
    drain_stream()
    assert entries(bob) == []
    if ends == "by hand":
        unmute(by=bob, user_id=alice.user_id)
        drain_stream()
    with clock_at(end):
        do_due(end)
        assert entries(bob) == home(bob) == [*missed[::-1], early]


@pytest.mark.usefixtures("friends")
def test_another_day_takes_nothing_of_it(alice, bob, drain_stream):
    kept = say(alice, Audience.FRIENDS)
    drain_stream()
    mute(by=bob, user_id=alice.user_id)
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    unmute(by=bob, user_id=alice.user_id)
    change(UserSettings, keys.user_settings(bob.user_id), [UserSettings.seen.set(tomorrow)])
    drain_stream()
    assert entries(bob) == [kept]


@pytest.mark.usefixtures("friends")
def test_no_more_than_a_follow_brings(alice, bob, drain_stream, settings, monkeypatch):
    monkeypatch.setattr("feed.timelines.writes.CHUNK", 2)
    settings.BACKFILL_POSTS = 3
    follow(by=bob, user_id=alice.user_id)
    posts = [say(alice, Audience.FRIENDS) for _ in range(5)]
    post(alice)
    drain_stream()
    assert len(entries(bob)) == 6
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert entries(bob) == posts[:1:-1]


# People who are followed while muted stay out of sight: the mute holds, whichever way the follow came about.


@pytest.fixture
def muted(alice, bob, drain_stream) -> str:
    """The newest post of Bob, whom Alice mutes and does not follow. All is applied."""
    mute(by=alice, user_id=bob.user_id)
    post_id = post(bob)
    drain_stream()
    return post_id


def followed_entries(viewer) -> list[str]:
    return [raw["post_id"]["S"] for raw in query(keys.timeline(viewer.user_id))]


def noted_end(viewer, other) -> str | None:
    """Until when fan-out passes over the viewer, by their follow edge."""
    return get(Follower, keys.follower(other.user_id, viewer.user_id)).muted_until


def follow_again(alice, bob):
    follow(by=alice, user_id=bob.user_id)
    unfollow(by=alice, user_id=bob.user_id)
    follow(by=alice, user_id=bob.user_id)


def be_let_in(alice, bob):
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)
    accept_follow_request(by=bob, user_id=alice.user_id)


@pytest.mark.usefixtures("muted")
@pytest.mark.parametrize(
    "begin",
    [lambda alice, bob: follow(by=alice, user_id=bob.user_id), follow_again, be_let_in],
    ids=["follow", "again", "request"],
)
def test_neither_what_they_said_nor_what_they_say_is_brought_until_the_mute_ends(
    alice, bob, muted, drain_stream, begin
):
    begin(alice, bob)
    drain_stream()
    new = post(bob)
    drain_stream()
    assert followed_entries(alice) == []
    unmute(by=alice, user_id=bob.user_id)
    drain_stream()
    assert home(alice) == [new, muted]


@pytest.mark.usefixtures("muted")
def test_what_a_fan_out_brought_before_the_worker_saw_the_follow_is_taken_out(
    alice, bob, drain_stream
):
    follow(by=alice, user_id=bob.user_id)
    early = post(bob)
    end = timeline_end(ids.time_of(early))
    entry = TimelineEntry.new(user_id=alice.user_id, post_id=early, author_id=bob.user_id, ttl=end)
    write_batch(puts=[entry])
    drain_stream()
    assert followed_entries(alice) == []


@pytest.mark.usefixtures("muted")
def test_the_end_of_the_mute_is_noted_for_fan_out(alice, bob, drain_stream):
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    for until, noted in ((None, NEVER_ENDS), (tomorrow, tomorrow.isoformat())):
        mute(by=alice, user_id=bob.user_id, until=until)
        follow_again(alice, bob)
        assert noted_end(alice, bob) is None
        drain_stream()
        assert noted_end(alice, bob) == noted
        unfollow(by=alice, user_id=bob.user_id)


@pytest.mark.usefixtures("muted")
def test_a_mute_that_is_over_holds_nothing_back(alice, bob, muted, drain_stream):
    over = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    key = keys.relation(alice.user_id, RelationType.MUTE, bob.user_id)
    change(Relation, key, [Relation.until.set(over)])
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert noted_end(alice, bob) is None
    assert home(alice) == [muted]


@pytest.mark.usefixtures("muted")
def test_a_follow_that_is_taken_back_before_the_worker_comes_leaves_nothing(
    alice, bob, drain_stream
):
    follow(by=alice, user_id=bob.user_id)
    unfollow(by=alice, user_id=bob.user_id)
    drain_stream()
    with pytest.raises(NotFound):
        noted_end(alice, bob)
    assert followed_entries(alice) == []
    assert list_dead_letters() == []


@pytest.mark.usefixtures("muted")
def test_a_mute_that_ends_while_the_worker_notes_it_leaves_no_note(alice, bob, muted, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    events, moment = client().meta.events, "before-parameter-build.dynamodb.TransactWriteItems"

    def end_mute(**_: object) -> None:
        events.unregister(moment, end_mute)
        unmute(by=alice, user_id=bob.user_id)

    events.register(moment, end_mute)
    assert not carry_mute_over(alice.user_id, bob.user_id)
    assert noted_end(alice, bob) is None
    drain_stream()
    assert home(alice) == [muted]


@pytest.mark.usefixtures("muted")
def test_who_is_pulled_is_learned_and_seen_when_the_mute_ends(alice, bob, muted, drain_stream):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.reading.set("pulled")])
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert returning(alice).pulled == (bob.user_id,)
    assert home(alice) == []
    new = post(bob)
    unmute(by=alice, user_id=bob.user_id)
    drain_stream()
    assert home(alice) == [new, muted]


@pytest.mark.parametrize("days", ["TIMELINE_DAYS", "TAG_DAYS"])
def test_in_its_last_second_a_post_is_missed_nowhere(alice, bob, drain_stream, settings, days):
    """Found by `make simulate YEAR=1 SEED=2`, on day 210: items end with a whole second, and a post within it."""
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice, "Spring #chess")
    drain_stream()
    second = ids.time_of(post_id).replace(microsecond=0)
    with clock_at(second + timedelta(days=getattr(settings, days))):
        assert broken_invariants() == {}

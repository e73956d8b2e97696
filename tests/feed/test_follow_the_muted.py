"""Who is followed while muted stays out of sight: the mute holds, whichever way the follow came about."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import UserInfo
from feed.posts.models import TimelineEntry
from feed.posts.reads import timeline_end
from relations.blocks.writes import NEVER_ENDS, carry_mute_over, mute, unmute
from relations.follows.writes import accept_follow_request, follow, request_follow, unfollow
from relations.models import Follower, Relation, RelationType
from socialsite.streams.status import list_dead_letters
from socialsite.table import NotFound, change, get, ids, keys, query, write_batch
from socialsite.table.connection import client
from tests.conftest import post
from tests.relations.relations import lock
from tests.streams.crowd import home, returning

pytestmark = pytest.mark.usefixtures("muted")


@pytest.fixture
def muted(alice, bob, drain_stream) -> str:
    """The newest post of Bob, whom Alice mutes and does not follow. All is applied."""
    mute(by=alice, user_id=bob.user_id)
    post_id = post(bob)
    drain_stream()
    return post_id


def entries(viewer) -> list[str]:
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
    assert entries(alice) == []
    unmute(by=alice, user_id=bob.user_id)
    drain_stream()
    assert home(alice) == [new, muted]


def test_what_a_fan_out_brought_before_the_worker_saw_the_follow_is_taken_out(
    alice, bob, drain_stream
):
    follow(by=alice, user_id=bob.user_id)
    early = post(bob)
    end = timeline_end(ids.time_of(early))
    entry = TimelineEntry.new(user_id=alice.user_id, post_id=early, author_id=bob.user_id, ttl=end)
    write_batch(puts=[entry])
    drain_stream()
    assert entries(alice) == []


def test_the_end_of_the_mute_is_noted_for_fan_out(alice, bob, drain_stream):
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    for until, noted in ((None, NEVER_ENDS), (tomorrow, tomorrow.isoformat())):
        mute(by=alice, user_id=bob.user_id, until=until)
        follow_again(alice, bob)
        assert noted_end(alice, bob) is None
        drain_stream()
        assert noted_end(alice, bob) == noted
        unfollow(by=alice, user_id=bob.user_id)


def test_a_mute_that_is_over_holds_nothing_back(alice, bob, muted, drain_stream):
    over = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    key = keys.relation(alice.user_id, RelationType.MUTE, bob.user_id)
    change(Relation, key, [Relation.until.set(over)])
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert noted_end(alice, bob) is None
    assert home(alice) == [muted]


def test_a_follow_that_is_taken_back_before_the_worker_comes_leaves_nothing(
    alice, bob, drain_stream
):
    follow(by=alice, user_id=bob.user_id)
    unfollow(by=alice, user_id=bob.user_id)
    drain_stream()
    with pytest.raises(NotFound):
        noted_end(alice, bob)
    assert entries(alice) == []
    assert list_dead_letters() == []


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

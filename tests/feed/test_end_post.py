"""At its end the clock deletes a post within seconds, and the worker what hung on it. DynamoDB may be quicker."""

import pytest

from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.publishing.stream import NotOver, end_post
from feed.publishing.writes import END_POST, delete_post
from feed.sharing.writes import repost
from relations.follows.writes import follow
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.table import as_model, is_expired, key_of, keys, query
from socialsite.table.reading import scan
from tests.feed.expiring import SECOND, clock_at, end_of, ending_post, remove_expired
from tests.looks import broken_invariants


def planned() -> list[Due]:
    shards = range(keys.DUE_SHARDS)
    found = [as_model(Due, raw) for one in shards for raw in query(keys.due_shard(one))]
    return [due for due in found if due.kind == END_POST]


def is_stored(author, post_id: str) -> bool:
    return keys.post(author.user_id, post_id) in map(key_of, scan())


def test_the_clock_deletes_it_with_all_that_hung_on_it(alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post_id = ending_post(alice, "Tea? #cats @bob", poll=PollWish(("Yes", "No"), "1h"))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    repost(by=carol, post=Pointer(post_id, alice.user_id))
    drain_stream()
    with clock_at(end := end_of(alice, post_id)):
        do_due(end)
        assert not is_stored(alice, post_id)
        drain_stream()
        assert broken_invariants() == {}
        left = [raw for raw in scan() if post_id in str(raw) and not is_expired(raw)]
    lasting = {"Submission", "UserCount", "SeenRecord", "Notification", "Due"}
    assert {raw["type"]["S"] for raw in left} <= lasting
    assert planned() == []


def test_not_a_second_before(alice):
    post_id = ending_post(alice)
    end = end_of(alice, post_id)
    with clock_at(end - SECOND):
        do_due(end - SECOND)
        assert is_stored(alice, post_id)
        (due,) = planned()
        with pytest.raises(NotOver):
            end_post(due)
    assert planned()


def test_twice_and_beside_dynamodb_is_harmless(alice, bob, drain_stream):
    first, second = ending_post(alice), ending_post(bob)
    by_post = {due.subject: due for due in planned()}
    drain_stream()
    with clock_at(max(end_of(alice, first), end_of(bob, second))):
        end_post(by_post[first])
        remove_expired()  # DynamoDB has the second one
        for due in by_post.values():
            end_post(due)
        drain_stream()
        assert not is_stored(alice, first)
        assert not is_stored(bob, second)
        assert broken_invariants() == {}


def test_a_post_that_was_deleted_before_leaves_no_plan(alice, drain_stream):
    post_id = ending_post(alice)
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert planned() == []


def test_a_post_that_stays_has_none(alice):
    ending_post(alice, expires_in="")
    assert planned() == []

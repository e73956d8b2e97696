"""Writing: conditional, all or nothing, harmless to repeat."""

from datetime import UTC, datetime

import pytest

from accounts.models import UserCount
from relations.models import Follower, Following
from socialsite.models import RateLimit
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Create,
    Delete,
    NotFound,
    Upsert,
    change,
    create,
    get,
    keys,
    query,
    transact,
    write_as_made,
    write_batch,
)

pytestmark = pytest.mark.usefixtures("table")


class Full(NotFound):
    """The counter is at its limit."""


def test_creating_an_item_twice_with_other_content_is_refused():
    create(UserCount(*keys.user_count("A"), user_id="A", posts=1))
    with pytest.raises(AlreadyExists):
        create(UserCount(*keys.user_count("A"), user_id="A", posts=2))
    assert get(UserCount, keys.user_count("A")).posts == 1


def test_creating_the_very_same_item_again_succeeds_as_after_a_lost_answer():
    for _ in range(2):
        create(UserCount.new(user_id="A"))


def test_changing_a_missing_item_creates_nothing():
    with pytest.raises(NotFound):
        change(UserCount, keys.user_count("A"), [UserCount.posts.set(3)])
    with pytest.raises(NotFound):
        get(UserCount, keys.user_count("A"))


def test_a_transaction_writes_all_or_nothing():
    create(UserCount.new(user_id="A"))
    with pytest.raises(NotFound):
        transact(
            Create(Following.new(user_id="A", followed_id="B")),
            Change(UserCount, keys.user_count("A"), [UserCount.following.add(1)]),
            Change(UserCount, keys.user_count("B"), [UserCount.followers.add(1)]),
        )
    assert get(UserCount, keys.user_count("A")).following == 0
    with pytest.raises(NotFound):
        get(Following, keys.following("A", "B"))


def test_a_refused_transaction_raises_the_error_of_the_action_that_failed():
    create(Follower.new(user_id="A", follower_id="B"))
    with pytest.raises(Full) as refused:
        transact(
            Create(UserCount.new(user_id="A")),
            Check(keys.user_count("Z"), otherwise=Full),
            Delete(keys.follower("A", "B")),
        )
    assert [action.key for action in refused.value.failed] == [keys.user_count("Z")]


def test_a_repeated_transaction_that_only_creates_the_same_items_succeeds():
    for _ in range(2):
        transact(
            Create(Following.new(user_id="A", followed_id="B")),
            Create(Follower.new(user_id="B", follower_id="A")),
        )


def test_an_upsert_writes_the_type_of_a_new_item_and_holds_its_condition():
    key = keys.rate_limit("posts", "hmac", 0)
    for expected in (1, 2, None):
        hit = Upsert(
            RateLimit,
            key,
            [RateLimit.hits.add(1), RateLimit.ttl.set(datetime(2100, 1, 1, tzinfo=UTC))],
            condition=RateLimit.hits.does_not_exist() | (RateLimit.hits < 2),
            otherwise=Full,
        )
        if expected is None:
            with pytest.raises(Full):
                transact(hit)
        else:
            transact(hit)
            assert get(RateLimit, key).hits == expected


def test_a_batch_puts_and_deletes_any_number_of_items():
    edges = [Following.new(user_id="A", followed_id=f"{number:03}") for number in range(60)]
    assert write_batch(puts=edges) == 60
    write_batch(puts=edges[:10], deletes=[edge.key for edge in edges[30:]])
    get(Following, edges[29].key)
    with pytest.raises(NotFound):
        get(Following, edges[30].key)


def test_what_is_written_as_it_is_made_is_sent_25_at_a_time():
    there: list[int] = []

    def entries():
        for number in range(60):
            if number % 25 == 0:
                there.append(len(list(query(keys.followers("A")))))
            yield Follower.new(user_id="A", follower_id=f"{number:02}").serialize()

    write_as_made(entries(), at_once=1)
    assert there == [0, 25, 50]
    assert len(list(query(keys.followers("A")))) == 60

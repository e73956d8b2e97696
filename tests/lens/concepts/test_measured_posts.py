"""What posts, timelines and likes cost with a building block, and without it: the figures of the pages."""

import json
import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import UserCount, UserInfo
from accounts.people.viewer import Viewer
from feed.likes.models import Like
from feed.likes.reads import SHARDS, like_partitions, list_likers
from feed.likes.writes import like_post
from feed.posts.models import LikeCount, LikeTrace, Post, TimelineEntry
from lens.concepts.concept import Measured
from relations.models import Follower
from site_votes.reads import get_site_vote
from site_votes.stream_handlers import add_up_site_vote
from site_votes.writes import ADD_UP, cast_ballot, open_vote
from socialsite.clock import utc_now
from socialsite.due.work import list_due
from socialsite.site_settings.models import Invite
from socialsite.streams.archive import archive_records
from socialsite.streams.worker import Worker
from socialsite.table import (
    Change,
    Create,
    Source,
    change,
    fetch,
    ids,
    key_of,
    keys,
    measure,
    query,
    query_merged,
    transact,
    write_batch,
)
from socialsite.table.connection import client, table_name
from tests.conftest import post
from tests.feed.hot_posts import raise_to
from tests.feed.timelines import authors, fill_home, follow_all
from tests.lens.concepts.measuring import hold, of, without
from tests.streams.crowd import crowd
from tests.streams.expired import archived, expire, own_archive
from tests.streams.records import unread

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")
PAST = datetime.now(UTC) - timedelta(days=1)


def posts_of(user_id: str, count: int) -> list[Post]:
    return [
        Post.new(post_id=ids.new_id(), author_id=user_id, content="The tram was late. " * 5)
        for _ in range(count)
    ]


def test_a_tenant(alice):
    others = [ids.new_id() for _ in range(100)]
    write_batch(puts=[one for user_id in others for one in posts_of(user_id, 10)])
    write_batch(puts=posts_of(alice.user_id, 10))
    hold(
        "tenant",
        of("a Query of `u#<user>#post`", lambda: list(query(keys.posts(alice.user_id)))),
        without("a Scan with a filter by author", lambda: _scan_for(alice.user_id)),
    )


def _scan_for(user_id: str) -> None:
    request = {
        "TableName": table_name(),
        "FilterExpression": "author_id = :id",
        "ExpressionAttributeValues": {":id": {"S": user_id}},
        "ReturnConsumedCapacity": "TOTAL",
    }
    found, answer = 0, {}
    while "LastEvaluatedKey" in answer or not found:
        after = {"ExclusiveStartKey": answer["LastEvaluatedKey"]} if answer else {}
        answer = client().scan(**request, **after)
        found += answer["Count"]
    assert found == 10


def test_a_time_to_live(alice):
    future = datetime.now(UTC) + timedelta(days=1)
    home = keys.timeline(alice.user_id)
    write_batch(puts=[entry(alice.user_id, PAST) for _ in range(1_000)])
    write_batch(puts=[entry(alice.user_id, future) for _ in range(21)])
    hold(
        "ttl",
        of("home, while DynamoDB has not deleted them yet", lambda: _newest(home)),
        without("a job reads and deletes them", lambda: _clear(home)),
    )


def entry(user_id: str, end: datetime) -> TimelineEntry:
    return TimelineEntry.new(user_id=user_id, post_id=ids.new_id(), author_id=ids.new_id(), ttl=end)


def _clear(partition: str) -> None:
    write_batch(deletes=[key_of(raw) for raw in query(partition, with_expired=True)])


def test_an_archive(alice, settings, tmp_path):
    own_archive(settings, tmp_path)
    worker = Worker()
    worker.drain()
    expire(*(_invite(alice.user_id) for _ in range(100)))
    records = unread()
    write_batch(puts=[_invite(alice.user_id) for _ in range(100)])
    hold(
        "archive",
        of("`archive_records`", lambda: archive_records(records, shard_id="shard")),
        without("a job reads and deletes them", lambda: _clear(keys.invites())),
    )
    assert len(archived()) == 100


def _invite(creator_id: str) -> Invite:
    return Invite.new(code=ids.new_id(), creator_id=creator_id, uses_left=1, comment="", ttl=PAST)


def test_a_vertical_partition(alice, bob):
    (long,) = posts_of(alice.user_id, 1)
    long.content = "x" * 3_500
    info = UserInfo.new(user_id=bob.user_id, handle="bob", name="Bob")
    info.bio = "x" * 3_000
    write_batch(puts=[long, LikeCount.new(post_id=long.post_id), info])
    more = LikeCount.likes.add(1)
    hold(
        "vertical-partitioning",
        of(
            "a like counted in `LikeCount`",
            lambda: change(LikeCount, keys.like_count(long.post_id), [more]),
        ),
        without(
            "a like counted in a `Post` of 3,500 bytes",
            lambda: change(Post, long.key, [more]),
        ),
        of(
            "a follower counted in `UserCount`",
            lambda: change(UserCount, keys.user_count(bob.user_id), [UserCount.followers.add(1)]),
        ),
        without(
            "a follower counted in a `UserInfo` of 3 KB",
            lambda: change(UserInfo, info.key, [UserCount.followers.add(1)]),
        ),
        of("both read for a page", lambda: list(query(keys.user(bob.user_id)))),
    )


def test_write_shards(alice, bob, admin):
    post_id = post(alice)
    raise_to(SHARDS, post_id, alice)
    everywhere = [
        keys.like(post_id, bob.user_id),
        *(keys.like(post_id, bob.user_id, shard) for shard in range(SHARDS)),
    ]
    hold(
        "write-sharding",
        of(
            "a like, into the shard of the liker",
            lambda: like_post(by=bob, post_id=post_id, author_id=alice.user_id, shards=SHARDS),
        ),
        of("does Bob like it: the trace", lambda: fetch([keys.like_trace(bob.user_id, post_id)])),
        without("does Bob like it, with a random suffix", lambda: fetch(everywhere)),
        of(
            "the first page of likers, Queries",
            lambda: list_likers(post_id, shards=SHARDS),
            only="Query",
        ),
        without("the first page of likers, not sharded", lambda: list(query(keys.likes(post_id)))),
        *votes_of_the_site(admin),
    )
    assert len(everywhere) == len(like_partitions(post_id, SHARDS))


def votes_of_the_site(admin) -> list[Measured]:
    """What the busiest partition takes of 200 votes, and what a vote and the sum cost."""
    ends = utc_now() + timedelta(days=1)
    opened = open_vote(by=admin, question="Tea or coffee?", answers=("Tea", "Coffee"), ends=ends)
    vote = get_site_vote(opened, admin).vote
    voters = [Viewer(ids.id_at(PAST, number.to_bytes(10))) for number in range(200)]
    random.seed(7)
    with measure(keep=True) as meter:
        for voter in voters:
            cast_ballot(by=voter, vote=vote, place=0)
    taken = Counter[str]()
    for call in meter.calls:
        for one in json.loads(call.asked)["TransactItems"]:
            if "Update" in one:
                taken[one["Update"]["Key"]["PK"]["S"]] += 2
    shards = range(keys.DUE_SHARDS)
    (due,) = [one for shard in shards for one in list_due(shard, ends) if one.kind == ADD_UP]
    return [
        of("a vote of the site", lambda: cast_ballot(by=admin, vote=vote, place=1)),
        of("the sum of its 64 counters, every minute", lambda: add_up_site_vote(due)),
        Measured("the busiest counter of 64, of 200 votes", 200, 0, max(taken.values())),
        Measured("one counter, of 200 votes", 200, 0, sum(taken.values()), is_without=True),
    ]


def test_a_fan_out(alice, bob):
    fans = crowd(100)
    write_batch(puts=[Follower.new(user_id=bob.user_id, follower_id=one.user_id) for one in fans])
    worker = Worker()
    worker.drain()
    post(bob)
    fanned_out = of(
        "a post to 100 followers, what the worker puts", worker.drain, only="BatchWriteItem"
    )
    people = authors(100)
    follow_all(alice, people)
    fill_home(alice, people, each=3)
    hold(
        "fan-out",
        of("home: a Query of 21 pointers", lambda: _newest(keys.timeline(alice.user_id))),
        without(
            "home: the newest posts of everyone followed, merged",
            lambda: _newest(*(keys.posts(one.user_id) for one in people)),
        ),
        fanned_out,
    )


def _newest(*partitions: str) -> None:
    page = query_merged([Source(one) for one in partitions], scope="fan-out")
    assert len(page.items) == 20


def test_a_queue_before_a_counter(alice):
    people, post_id, other_id = crowd(100), post(alice), post(alice)
    worker = Worker()
    worker.drain()
    pressed = of("100 likes", lambda: _like(people, post_id, alice.user_id))
    counted = of(
        "the worker counts them, and notifies the author", worker.drain, only="TransactWriteItems"
    )
    hold(
        "queue-before-a-counter",
        pressed,
        counted,
        without("100 likes that count themselves", lambda: _count(people, other_id, alice.user_id)),
    )


def _like(people, post_id: str, author_id: str) -> None:
    for one in people:
        like_post(by=one, post_id=post_id, author_id=author_id)


def _count(people, post_id: str, author_id: str) -> None:
    for one in people:
        where = {"post_id": post_id, "author_id": author_id, "user_id": one.user_id}
        transact(
            Create(Like.new(**where)),
            Create(LikeTrace.new(**where)),
            Change(LikeCount, keys.like_count(post_id), [LikeCount.likes.add(1)]),
        )

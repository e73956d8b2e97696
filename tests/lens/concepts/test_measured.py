"""What posts, timelines, likes and relations cost with a building block, and without it."""

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import orjson
import pytest

from accounts.models import UserCount, UserInfo
from accounts.people.viewer import Viewer
from chats.badges import note_for_others
from chats.models import Message
from feed.likes.models import Like
from feed.likes.reads import SHARDS, like_partitions, list_likers
from feed.likes.writes import like_post
from feed.posts.models import LikeCount, LikeTrace, Post, TimelineEntry
from lens.concepts.concept import FILE, Measured, measured
from relations.filters import Filters
from relations.models import Follower, Following, Relation, RelationType
from relations.reads import list_relating, list_relations
from relations.relation import is_in_force
from relations.two_levels import recommend_people
from site_votes.reads import get_site_vote
from site_votes.stream_handlers import add_up_site_vote
from site_votes.writes import ADD_UP, cast_ballot, open_vote
from socialsite.clock import utc_now
from socialsite.due.work import list_due
from socialsite.site_settings.models import Invite
from socialsite.streams.archive import archive_records
from socialsite.streams.worker import Worker
from socialsite.table import (
    Call,
    Change,
    Create,
    Source,
    as_model,
    change,
    fetch,
    ids,
    item_size,
    key_of,
    keys,
    measure,
    query,
    query_index,
    query_merged,
    row,
    transact,
    type_index_name,
    write_batch,
)
from socialsite.table.connection import client, table_name
from tests.chats.scenes import accept, write
from tests.conftest import post
from tests.feed.timelines import authors, fill_home, follow_all, raise_to
from tests.relations.scenes import crowd as nearby_crowd
from tests.relations.scenes import follow_each
from tests.streams.crowd import crowd
from tests.streams.records import archived, expire, own_archive, unread

# Measures a way of doing something, and compares it with the figures that the pages show.
#
# `make documents` writes figures and documents anew.

WRITES = os.environ.get("DOCUMENTS") == "write"


def of(
    way: str,
    ask: Callable[[], Any],
    *,
    is_without: bool = False,
    only: str = "",
    with_size: bool = False,
) -> Measured:
    """What a way costs, of all its calls or of one operation."""
    with measure(keep=True) as meter:
        ask()
    calls = [call for call in meter.calls if not only or call.operation == only]
    return Measured(
        way,
        len(calls),
        sum(call.units for call in calls if call.is_read),
        sum(call.units for call in calls if not call.is_read),
        is_without,
        round(sum(_bytes(call) for call in calls) / 1024, 1) if with_size else 0,
    )


def without(way: str, ask: Callable[[], Any], **more: Any) -> Measured:
    return of(way, ask, is_without=True, **more)


def hold(name: str, *rows: Measured) -> None:
    """The pages show these figures."""
    if WRITES:
        kept = orjson.loads(FILE.read_bytes()) | {name: [asdict(row) for row in rows]}
        FILE.write_bytes(
            orjson.dumps(kept, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"
        )
    assert measured(name) == list(rows)


def _bytes(call: Call) -> int:
    return sum(item_size(raw) for raw in (call.answer or {}).get("Items", ()))


# Relationships in numbers, put straight into the table.

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def relation(
    user_id: str,
    kind: RelationType,
    other_id: str,
    *,
    ended: bool = False,
    tags: tuple[str, ...] = (),
    at: datetime = LONG_AGO,
    is_indexed: bool | None = None,
) -> Relation:
    """A relationship as the services write it: one that ended is not in the index, unless the scene wants it there."""
    in_index = not ended if is_indexed is None else is_indexed
    return Relation(
        *keys.relation(user_id, kind, other_id),
        user_id=user_id,
        other_id=other_id,
        relation_type=kind,
        tags=set(tags) or None,
        location="Uppsala",
        gender="she/her",
        created_at=LONG_AGO.isoformat(),
        update_time=at.isoformat(),
        delete_status=ended,
        relation_target=keys.relation_target(kind, other_id) if in_index else None,
    )


def relate_many(
    viewer: Viewer, kind: RelationType, count: int, *, ended_every: int = 0, tag_every: int = 0
) -> None:
    """So many relationships of a type, of which some have ended and some have the tag `choir`."""
    write_batch(
        puts=[
            relation(
                viewer.user_id,
                kind,
                ids.new_id(),
                ended=bool(ended_every) and number % ended_every == 0,
                tags=("choir",) if tag_every and number % tag_every == 1 else (),
            )
            for number in range(count)
        ]
    )


def requests_to(user_id: str, count: int, *, ended: bool, is_indexed: bool, first: int) -> None:
    """So many follow requests to a person, a second after each other."""
    kind = RelationType.FOLLOW_REQUEST
    write_batch(
        puts=[
            relation(
                ids.new_id(),
                kind,
                user_id,
                ended=ended,
                is_indexed=is_indexed,
                at=LONG_AGO + timedelta(seconds=first + number),
            )
            for number in range(count)
        ]
    )


# What posts, timelines and likes cost with a building block, and without it: the figures of the pages.

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


def test_a_time_to_live(alice, bob):
    future = datetime.now(UTC) + timedelta(days=1)
    home = keys.timeline(alice.user_id)
    write_batch(puts=[entry(alice.user_id, PAST) for _ in range(1_000)])
    write_batch(puts=[entry(alice.user_id, future) for _ in range(21)])
    hold(
        "ttl",
        of("home, while DynamoDB has not deleted them yet", lambda: _newest(home)),
        without("a job reads and deletes them", lambda: _clear(home)),
        *private_messages(alice, bob),
    )


def private_messages(alice: Viewer, bob: Viewer) -> list[Measured]:
    """What a conversation costs, with much in it that ended."""
    write(alice, bob)
    accept(bob, alice)
    chat_id = keys.pair(alice.user_id, bob.user_id)
    spoken = [_spoken(chat_id, alice.user_id, PAST) for _ in range(500)]
    write_batch(puts=spoken)
    later = PAST + timedelta(days=8)
    write_batch(puts=[_spoken(chat_id, alice.user_id, later) for _ in range(50)])
    (message,) = list(query(keys.messages(chat_id), forward=False, limit=1))[:1]
    arrives = as_model(Message, message)
    arrives.message_id = ids.new_id()
    of_messages = keys.messages(chat_id)
    return [
        of("a message, before its sender has the answer", lambda: write(alice, bob)),
        of("the same message, by the worker", lambda: note_for_others(arrives)),
        of("its 50 newest messages, the Query alone", lambda: _newest_of(of_messages)),
        without("a job reads and deletes the 500", lambda: _clear_ended(of_messages)),
    ]


def _spoken(chat_id: str, author_id: str, end: datetime) -> Message:
    """A message as long as one of 220 letters, at the moment that its end says."""
    message_id = ids.id_at(end - timedelta(days=7), random.randbytes(10))
    body = b"x" * 260
    return Message.new(
        chat_id=chat_id, message_id=message_id, author_id=author_id, ttl=end, body=body
    )


def _newest_of(partition: str) -> None:
    found = query(partition, forward=False, limit=51)
    assert len(list(islice(found, 51))) == 51


def _clear_ended(partition: str) -> None:
    now = utc_now().timestamp()
    ended = [one for one in query(partition, with_expired=True) if int(one["ttl"]["N"]) < now]
    assert len(ended) == 500
    write_batch(deletes=[key_of(one) for one in ended])


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


# What lists of relationships cost with a building block, and without it: the figures of the pages.

FRIEND = RelationType.FRIEND


def test_a_composite_sort_key(alice):
    relate_many(alice, FRIEND, 20)
    relate_many(alice, RelationType.FAVOURITE, 980)
    everything = keys.relations(alice.user_id)
    hold(
        "composite-sort-key",
        of(
            "`list_relations`, `SK BETWEEN 1# AND 1#…`",
            lambda: list_relations(alice, FRIEND),
            only="Query",
        ),
        without("all relationships, chosen in Python", lambda: list(query(everything))),
    )


def test_a_sparse_index(alice, bob):
    for person, is_indexed in ((alice, False), (bob, True)):
        requests_to(person.user_id, 5, ended=False, is_indexed=True, first=0)
        requests_to(person.user_id, 1_000, ended=True, is_indexed=is_indexed, first=10)
    hold(
        "sparse-index",
        of(
            "`list_relating`, ended ones are not in the index",
            lambda: list_relating(alice.user_id, RelationType.FOLLOW_REQUEST),
            only="Query",
        ),
        without(
            "ended ones are in the index too, 100 a call until 5 are found",
            lambda: _waiting_in_full_index(bob.user_id),
        ),
    )


def _waiting_in_full_index(user_id: str) -> None:
    target = keys.relation_target(RelationType.FOLLOW_REQUEST, user_id)
    found, before = 0, None
    while rows := query_index(type_index_name, target, before=before, limit=100):
        found += sum(map(is_in_force, rows))
        before = rows[-1]["update_time"]["S"]
    assert found == 5


def test_a_soft_delete(alice, bob):
    relate_many(alice, FRIEND, 500, ended_every=1)
    for person in (alice, bob):
        relate_many(person, FRIEND, 20)
    hold(
        "soft-delete",
        of(
            "`list_relations`, 500 ended ones before the 20",
            lambda: list_relations(alice, FRIEND),
            only="Query",
        ),
        of("`list_relating`, which reads `typeIndex`", lambda: _who_relates(alice), only="Query"),
        without(
            "`list_relations`, ended ones deleted for good",
            lambda: list_relations(bob, FRIEND),
            only="Query",
        ),
    )


def _who_relates(person) -> None:
    list_relating(person.user_id, FRIEND)


def test_two_level_relations(alice):
    near = [one.user_id for one in nearby_crowd(100, "near")]
    far = [one.user_id for one in nearby_crowd(545, "far")]
    follow_each([alice.user_id], near)
    for number, one in enumerate(near):
        start = number * 5
        follow_each([one], far[start : start + 50])
    hold(
        "two-level-relations",
        of("`recommend_people`", lambda: recommend_people(alice.user_id)),
        without("everyone of both levels, and each person found", lambda: _walk(alice.user_id)),
    )


def _walk(user_id: str) -> None:
    near = [row(Following, raw).followed_id for raw in query(keys.followings(user_id))]
    ties = [row(Following, raw).followed_id for one in near for raw in query(keys.followings(one))]
    found = fetch(keys.user_info(one) for one in dict.fromkeys(ties))
    assert len(found) == 545


def test_filters(alice, bob, carol):
    rows = []
    for person, count in ((carol, 10), (bob, 100), (alice, 1_000)):
        relate_many(person, FRIEND, count, ended_every=10, tag_every=50 if count > 10 else 9)
        rows += [
            of(
                f"{count:,}: `FilterExpression` (`list_relations` with a circle)",
                lambda: list_relations(person, FRIEND, filters=Filters(tag="choir")),  # noqa: B023
                only="Query",
                with_size=True,
            ),
            without(f"{count:,}: all in Python", lambda: _in_python(person), with_size=True),  # noqa: B023
        ]
    rows.append(
        of(
            "1,000: no filter, the first 20",
            lambda: list_relations(alice, FRIEND),
            only="Query",
            with_size=True,
        )
    )
    rows.append(
        without(
            "1,000: `FilterExpression` with `Limit` 100",
            lambda: _limited(alice),
            with_size=True,
        )
    )
    hold("filters", *rows)


def _in_python(person) -> None:
    bounds = keys.relation_bounds(FRIEND)
    found = list(query(keys.relations(person.user_id), between=bounds))
    assert found


def _limited(person) -> None:
    rows = query(
        keys.relations(person.user_id),
        between=keys.relation_bounds(FRIEND),
        having=Filters(tag="choir").exact,
        limit=100,
    )
    assert list(islice(rows, 21))

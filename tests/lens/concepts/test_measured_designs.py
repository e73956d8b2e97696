"""What tables, indexes, caches and filters cost with a building block, and without it: the figures of the pages."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from accounts.people.reads import get_user_info
from feed.home.reads import (
    get_timeline,
    newest_authors,
    read_newest_authors,
)
from feed.posts.models import Post, Reply, ThreadGate
from finding.query import read_query
from finding.reads import search_posts
from finding.writes import word_items
from lens.concepts.concept import Measured
from lens.concepts.one_table import first_of
from relations.models import Follower, RelationType
from relations.reads import list_relating
from socialsite.process_state import reset_process_state
from socialsite.site_settings.site_rules import forget_site_rules, read_site_rules, site_rules
from socialsite.streams.lambda_handler import handle
from socialsite.table import PAGE_SIZE, fetch, ids, keys, measure, query, write_batch
from socialsite.table.connection import client
from socialsite.table.reading import scan
from tests.conftest import post
from tests.feed.timelines import authors, fill_home, fill_local
from tests.lens.concepts.test_measured import hold, of, relation, without
from tests.streams.crowd import crowd
from tests.streams.filters import passes
from tests.streams.records import event, lambda_record, new_records

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")
TEXT = "The tram was late. " * 5


def test_metadata_first(alice):
    root = Post.new(post_id=ids.new_id(), author_id=alice.user_id, content=TEXT)
    gate = ThreadGate.new(root)
    write_batch(puts=[gate, *(_reply(root) for _ in range(1_000))])
    thread = keys.thread(root.post_id)
    assert [raw["type"]["S"] for raw in first_of(thread)] == ["ThreadGate"]
    is_gate = Reply.content.does_not_exist()
    hold(
        "metadata-first",
        of("a Query with `Limit` 1", lambda: first_of(thread)),
        of("the gate by its key, as a page reads it", lambda: fetch([gate.key])),
        without("found by a filter among 1,000 replies", lambda: _all(thread, having=is_gate)),
    )


def _reply(root: Post) -> Reply:
    post_id = ids.new_id()
    return Reply(
        *keys.reply_place(root.post_id, post_id),
        post_id=post_id,
        author_id=ids.new_id(),
        root_id=root.post_id,
        root_author_id=root.author_id,
        reply_to=root.post_id,
        reply_to_author_id=root.author_id,
        content=TEXT,
    )


def _all(partition: str, **how: Any) -> None:
    assert len(list(query(partition, **how))) == 1


LOCAL = "byTime"


@contextmanager
def table_like(name: str, *, with_local_index: bool = False) -> Iterator[str]:
    """Another table of the site's keys, with a local index by time if wanted."""
    names = ["PK", "SK", *(["update_time"] if with_local_index else [])]
    index = {
        "IndexName": LOCAL,
        "KeySchema": _key("PK", "update_time"),
        "Projection": {"ProjectionType": "ALL"},
    }
    client().create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": one, "AttributeType": "S"} for one in names],
        KeySchema=_key("PK", "SK"),
        BillingMode="PAY_PER_REQUEST",
        **({"LocalSecondaryIndexes": [index]} if with_local_index else {}),
    )
    yield name
    client().delete_table(TableName=name)


def _key(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


def _put(table: str, item: Any) -> None:
    client().put_item(TableName=table, Item=item.serialize(), ReturnConsumedCapacity="TOTAL")


def _query(table: str, partition: str, **how: Any) -> list[dict[str, Any]]:
    answer = client().query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues={":pk": {"S": partition}},
        ReturnConsumedCapacity="TOTAL",
        **how,
    )
    return answer["Items"]


def test_local_and_global_indexes(bob, table):
    kind = RelationType.FOLLOW_REQUEST
    asking = [ids.new_id() for _ in range(100)]
    requests = [relation(one, kind, bob.user_id) for one in asking]
    write_batch(puts=requests)
    ended = relation(bob.user_id, kind, asking[0], ended=True)
    with table_like(f"{table}-local", with_local_index=True) as local:
        for one in requests:
            client().put_item(TableName=local, Item=one.serialize())
        new = relation(ids.new_id(), kind, bob.user_id)
        hold(
            "local-and-global-indexes",
            of(
                "who asked Bob: `list_relating`, a global index",
                lambda: list_relating(bob.user_id, kind),
                only="Query",
            ),
            without(
                "who asked Bob: a local index, in the partition of each of 100 people",
                lambda: [_query(local, keys.relations(one), IndexName=LOCAL) for one in asking],
            ),
            of(
                "the own list by time: a local index, read consistently",
                lambda: _query(
                    local, keys.relations(asking[0]), IndexName=LOCAL, ConsistentRead=True
                ),
            ),
            of("a relationship written, in no index", lambda: _put(table, ended)),
            of("one that the global index holds", lambda: _put(table, new)),
            of("one that the local index holds", lambda: _put(local, new)),
        )


def test_one_table_or_several(alice, table):
    fill_home(alice, authors(20))
    with measure(keep=True) as meter:
        page = get_timeline(alice)
    assert len(page.items) == 20
    query_of_home, batch_of_home = meter.calls
    assert (query_of_home.operation, batch_of_home.operation) == ("Query", "BatchGetItem")
    asked = orjson.loads(batch_of_home.asked)["RequestItems"][table]["Keys"]
    types = {(raw["PK"]["S"], raw["SK"]["S"]): raw["type"]["S"] for raw in scan()}
    own = [raw["type"]["S"] for raw in query(keys.user(alice.user_id))]
    assert {"UserInfo", "UserCount", "UserSettings"} <= set(own)
    with tables_of_types(table, {*types.values(), "LikeTrace"}) as of_type:
        hold(
            "one-table-or-several",
            of("home: `get_timeline`", lambda: get_timeline(alice)),
            without(
                "home, from a table for each type", lambda: _home(alice, asked, types, of_type)
            ),
            of(
                "a person: `get_user_info`, one Query",
                lambda: get_user_info(alice.user_id),
            ),
            without(
                f"a person, from {len(own)} tables",
                lambda: _batch({of_type[one]: [_place(alice.user_id, one, types)] for one in own}),
            ),
        )


@contextmanager
def tables_of_types(table: str, types: set[str]) -> Iterator[dict[str, str]]:
    """A table for each type, with the items of that type."""
    with ExitStack() as stack:
        of_type = {one: stack.enter_context(table_like(f"{table}-{one}")) for one in sorted(types)}
        for raw in scan():
            client().put_item(TableName=of_type[raw["type"]["S"]], Item=raw)
        yield of_type


def _place(user_id: str, kind: str, types: dict[tuple[str, str], str]) -> dict[str, Any]:
    pk = keys.user(user_id)
    sk = next(place[1] for place, one in types.items() if place[0] == pk and one == kind)
    return {"PK": {"S": pk}, "SK": {"S": sk}}


def _home(
    viewer: Any,
    asked: list[dict[str, Any]],
    types: dict[tuple[str, str], str],
    of_type: dict[str, str],
) -> None:
    """What `get_timeline` asks for, where each type has a table. What is missing are traces of likes."""
    found = _query(
        of_type["TimelineEntry"],
        keys.timeline(viewer.user_id),
        ScanIndexForward=False,
        Limit=21,
    )
    assert len(found) == 20
    wanted: dict[str, list[dict[str, Any]]] = {}
    for one in asked:
        kind = types.get((one["PK"]["S"], one["SK"]["S"]), "LikeTrace")
        wanted.setdefault(of_type[kind], []).append(one)
    assert len(wanted) > 3
    _batch(wanted)


def _batch(wanted: dict[str, list[dict[str, Any]]]) -> None:
    client().batch_get_item(
        RequestItems={name: {"Keys": of_table} for name, of_table in wanted.items()},
        ReturnConsumedCapacity="TOTAL",
    )


PAGES = range(100)


def test_a_read_cache(alice):
    fill_local(alice.user_id, [datetime.now(UTC)] * 40)
    reset_process_state()
    forget_site_rules()
    hold(
        "read-cache",
        of("who posted last: `newest_authors`", lambda: [newest_authors() for _ in PAGES]),
        without(
            "who posted last, read by each page", lambda: [read_newest_authors() for _ in PAGES]
        ),
        of("the rules of the site: `site_rules`", lambda: [site_rules() for _ in PAGES]),
        without(
            "the rules of the site, read by each page", lambda: [read_site_rules() for _ in PAGES]
        ),
    )


def test_an_event_filter(bob, carol, monkeypatch):
    global given
    given = 0
    monkeypatch.setattr("socialsite.streams.lambda_handler._beat", lambda _: None)  # by the clock
    for author in (bob, carol):
        fans = crowd(100)
        edges = [Follower.new(user_id=author.user_id, follower_id=one.user_id) for one in fans]
        write_batch(puts=edges)
    _play()
    post(bob)
    filtered = _played("filtered", is_without=False)
    post(carol)
    hold("event-filter", filtered, _played("not filtered", is_without=True))


given = 0  # records of this test's table that Lambda has had


def _play(*, is_filtered: bool = True) -> tuple[int, int]:
    """Gives Lambda the new records as long as handling makes more. Returns how many reached it, of how many."""
    global given
    got = begun = 0
    while records := new_records(given):
        given += len(records)
        begun += len(records)
        reach = [one for one in records if not is_filtered or passes(lambda_record(one))]
        got += len(reach)
        handle(event(reach))
    return got, begun


def _played(name: str, *, is_without: bool) -> Measured:
    told: list[tuple[int, int]] = []
    row = of(name, lambda: told.append(_play(is_filtered=not is_without)), is_without=is_without)
    ((got, begun),) = told
    return replace(row, way=f"{name}: {got} of {begun} records reach the function")


FILLERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def test_inverted_index(alice):
    filler = " ".join(f"filler{name}" for name in FILLERS[:6])
    kinds = ["soup salad"] * 50 + ["soup lemon"] * 50 + ["salad onion"] * 200
    kinds += ["bread butter"] * 700
    posts = [
        Post.new(post_id=ids.new_id(), author_id=alice.user_id, content=f"{words} {filler}")
        for number in range(1_000)
        for words in (kinds[number * 387 % 1_000],)
    ]
    entries = [entry for one in posts for entry in word_items(one)]
    write_batch(puts=[*posts, *entries])
    asked = read_query("soup salad")
    assert len(search_posts(asked).items) == PAGE_SIZE
    lists = [keys.word_entries(word) for word in ("soup", "salad")]
    of_a_post = [entry for entry in entries if entry.post_id == posts[0].post_id]
    hold(
        "inverted-index",
        of("`search_posts` of one word", lambda: search_posts(read_query("soup")), only="Query"),
        of("`search_posts` of two words", lambda: search_posts(asked), only="Query"),
        of("entering one post", lambda: write_batch(puts=of_a_post)),
        without("two lists read and compared", lambda: _read(*lists)),
        without("all posts read and compared", lambda: _read(keys.posts(alice.user_id))),
    )


def _read(*partitions: str) -> None:
    for partition in partitions:
        list(query(partition))

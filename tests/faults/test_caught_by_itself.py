"""Rules that no other test holds: each was found by a seeded bug that went unseen."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse

from accounts.models import UserCount
from accounts.people.viewer import Viewer
from feed.likes.reads import get_like_count
from feed.posts.models import LikeCount
from feed.posts.reads import can_view
from relations.follows.writes import follow
from relations.models import Follower, Following
from socialsite.streams.change import read_change
from socialsite.streams.ledger import CheckpointProof, LeaseLost, Ledger
from socialsite.streams.worker import Worker
from socialsite.table import Change, Create, create, fetch, get, keys, transact, write_batch
from socialsite.table.connection import client, table_name
from tests.conftest import post
from tests.feed.conftest import listen


@contextmanager
def hooked(name: str, hook: Any) -> Iterator[None]:
    """A hook on the table's client, as close to the engine as one gets in this process."""
    events = client().meta.events
    events.register_first(name, hook)
    try:
        yield
    finally:
        events.unregister(name, hook)


def test_the_same_records_cannot_be_committed_twice_by_one_owner(alice: Viewer) -> None:
    post_id = post(alice)
    worker = Worker()
    worker.drain()
    lease = next(iter(worker.readers.values())).lease
    ledger = Ledger()
    key = keys.like_count(post_id)
    ledger.add(LikeCount, key, LikeCount.likes, 1, if_gone=lambda: None)
    proof = CheckpointProof(lease.shard_id, lease.epoch, lease.checkpoint, "9" * 21)
    ledger.commit(proof)
    with pytest.raises(LeaseLost):
        ledger.commit(proof)
    assert get_like_count(post_id) == 1


def test_a_write_that_changed_nothing_is_no_change(alice: Viewer) -> None:
    key = keys.user_info(alice.user_id)
    image = fetch([key])[key]
    data = {"OldImage": image, "NewImage": image, "SequenceNumber": "1"}
    assert read_change({"eventName": "MODIFY", "dynamodb": data}) is None


def test_the_worker_reads_consistently_what_it_derives_from(alice: Viewer, bob: Viewer) -> None:
    worker = Worker()
    worker.drain()
    follow(by=bob, user_id=alice.user_id)
    post(alice)
    with listen() as requests:
        worker.drain()
    reads = [made for made in requests.made if made.operation in ("Query", "BatchGetItem")]
    assert len(reads) >= 4
    assert [made.parameters for made in reads if not made.is_consistent] == []


def test_neither_a_missing_post_nor_one_of_a_missing_author_may_be_viewed(alice: Viewer) -> None:
    key = keys.post(alice.user_id, post(alice))
    written = fetch([key])[key]
    assert not can_view(alice, None, alice.card)
    assert not can_view(alice, written, None)
    assert can_view(alice, written, alice.card)


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto answers in a hook of its own")
def test_a_conflict_is_tried_again_with_the_same_token(alice: Viewer, bob: Viewer) -> None:
    tokens: list[str] = []

    def conflict_once(request: Any, **_: Any) -> AWSResponse | None:
        tokens.append(json.loads(request.body)["ClientRequestToken"])
        if len(tokens) > 1:
            return None
        return answer(
            request.url,
            {
                "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                "CancellationReasons": [{"Code": "None"}, {"Code": "TransactionConflict"}],
            },
        )

    count = keys.user_count(bob.user_id)
    with hooked("before-send.dynamodb.TransactWriteItems", conflict_once):
        transact(
            Create(Follower.new(user_id=bob.user_id, follower_id=alice.user_id)),
            Change(UserCount, count, [UserCount.followers.add(1)]),
        )
    assert len(tokens) == 2
    assert len(set(tokens)) == 1
    assert get(UserCount, count).followers == 1


@pytest.mark.usefixtures("table")
def test_unprocessed_items_are_sent_again() -> None:
    left: list[Any] = []

    def send_half(params: dict[str, Any], **_: Any) -> None:
        requests = params["RequestItems"][table_name()]
        half = len(requests) // 2
        left.append(requests[half:] if half else [])
        params["RequestItems"] = {table_name(): requests[:half] or requests}

    def tell(parsed: dict[str, Any], **_: Any) -> None:
        parsed["UnprocessedItems"] = {table_name(): left[-1]} if left[-1] else {}

    edges = [Following.new(user_id="A", followed_id=f"{number:03}") for number in range(20)]
    with (
        hooked("provide-client-params.dynamodb.BatchWriteItem", send_half),
        hooked("after-call.dynamodb.BatchWriteItem", tell),
    ):
        write_batch(puts=edges)
    assert len(fetch(edge.key for edge in edges)) == 20


@pytest.mark.usefixtures("table")
def test_unprocessed_keys_are_asked_for_again() -> None:
    left: list[Any] = []

    def ask_half(params: dict[str, Any], **_: Any) -> None:
        asked = params["RequestItems"][table_name()]
        half = len(asked["Keys"]) // 2
        left.append(asked["Keys"][half:] if half else [])
        params["RequestItems"] = {
            table_name(): asked | {"Keys": asked["Keys"][:half] or asked["Keys"]}
        }

    def tell(parsed: dict[str, Any], **_: Any) -> None:
        rest = {"Keys": left[-1], "ConsistentRead": True}
        parsed["UnprocessedKeys"] = {table_name(): rest} if left[-1] else {}

    edges = [Following.new(user_id="A", followed_id=f"{number:03}") for number in range(20)]
    for edge in edges:
        create(edge)
    with (
        hooked("provide-client-params.dynamodb.BatchGetItem", ask_half),
        hooked("after-call.dynamodb.BatchGetItem", tell),
    ):
        assert len(fetch((edge.key for edge in edges), consistent=True)) == 20


def answer(url: str, body: dict[str, Any]) -> AWSResponse:
    """An answer as the engine would give it."""

    class Raw:
        def stream(self, **_: Any) -> Iterator[bytes]:
            yield json.dumps(body).encode()

    return AWSResponse(url, 400, {"content-type": "application/x-amz-json-1.0"}, Raw())

"""Rules that no other test holds, found by seeded bugs; and orders of events that hardly ever happen."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse

from accounts.models import UserCount
from accounts.people.viewer import Viewer
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post
from feed.posts.models import LikeCount
from feed.posts.reads import can_view
from feed.publishing.writes import delete_post
from relations.follows.writes import follow
from relations.models import Follower, Following
from socialsite.streams.change import read_change
from socialsite.streams.dispatch import redrive
from socialsite.streams.ledger import CheckpointProof, LeaseLost, Ledger
from socialsite.streams.models import Job, JobKind, Lease
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Change, Create, create, fetch, get, keys, transact, write_batch
from socialsite.table.connection import client, table_name
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, timeline_of
from tests.feed.conftest import listen
from tests.looks import broken_invariants


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


# Orders of events that hardly ever happen, and must come out right all the same.


def test_a_like_that_crosses_a_deletion_is_cleared_in_one_batch_with_an_older_like(
    alice: Viewer, bob: Viewer, carol: Viewer
) -> None:
    """One like goes and one comes: the counter's change is zero, and the counter is gone all the same."""
    worker = Worker()
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    worker.drain()
    delete_post(by=alice, post_id=post_id)
    worker.step()  # clears bob's like, which is a record of the next batch
    like_post(by=carol, post_id=post_id, author_id=alice.user_id)
    worker.drain()
    assert broken_invariants() == {}


def test_a_commit_beside_a_job_that_is_there_counts_and_moves_the_checkpoint(alice: Viewer) -> None:
    post_id = post(alice)
    worker = Worker()
    worker.drain()
    held = next(iter(worker.readers.values())).lease
    job = {"kind": JobKind.FAN_OUT, "job_id": post_id, "subject_id": post_id}
    before = held.checkpoint
    for number in (1, 2):
        ledger = Ledger()
        ledger.create(Job.new(**job))
        key = keys.like_count(post_id)
        ledger.add(LikeCount, key, LikeCount.likes, 1, if_gone=lambda: None)
        after = f"{number:021}"
        ledger.commit(CheckpointProof(held.shard_id, held.epoch, before, after))
        lease = get(Lease, keys.lease(held.shard_id), consistent=True)
        assert lease.checkpoint == after
        assert get_like_count(post_id) == number
        before = after


@pytest.mark.parametrize("followers", [1, 3])
def test_a_parked_fan_out_is_made_up_for_by_a_redrive(
    alice: Viewer, settings, followers: int
) -> None:
    """At once or by a job: what a parked record would have done, a redrive does."""
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 1, 2
    fans = [person(f"fan_{number}") for number in range(followers)]
    for fan in fans:
        follow(by=fan, user_id=alice.user_id)
    worker = Worker()
    worker.drain()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("feed.timelines.fan_out_stream.timedelta", None)  # nobody can be reached
        post_id = post(alice)
        worker.drain()
    letters = list_dead_letters()
    assert len(letters) == 1
    assert [redrive(letter) for letter in letters] == [True]
    worker.drain()
    assert [timeline_of(fan) for fan in fans] == [[post_id]] * followers
    assert_all_is_well()

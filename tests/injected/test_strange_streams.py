"""Streams as Amazon's may be, and records that no handler can apply."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.likes.models import Like
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Post
from feed.publishing.writes import delete_post
from relations.follows.writes import follow, unfollow
from relations.models import Following
from relations.reads import list_following
from socialsite.streams import dispatch
from socialsite.streams.change import type_of
from socialsite.streams.models import Job, Lease
from socialsite.streams.shards import Shard, StaleIterator, Stream, TrimmedData
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Item, get, ids, keys
from socialsite.table.connection import client, table_name
from socialsite.table.transport.requests import wire
from tests.conftest import person, post
from tests.injected.faults import IS_LONG, SEED, Rounds
from tests.injected.scenarios import SCENARIOS, Cast, Scenario
from tests.looks import broken_invariants, drain

# A stream that does what no local engine does: splits and merges shards, trims, lets iterators expire, repeats.
#
# It stands where `socialsite.streams.shards.Stream` does. Its records are the real ones of the table, dealt to
# shards by the test.

Record = dict[str, Any]


@dataclass
class FakeShard:
    shard_id: str
    parent_id: str | None = None
    records: list[Record] = field(default_factory=list)
    trimmed: int = 0  # how many of the first are forgotten
    is_closed: bool = False
    is_listed: bool = True


@dataclass
class FakeStream(Stream):
    """`route` says which open shard takes a record."""

    route: Callable[[Record], str]
    shards_by_id: dict[str, FakeShard] = field(default_factory=dict)
    real: Stream = field(default_factory=Stream)
    read_log: list[str] = field(default_factory=list)
    expire_next: int = 0
    most_a_read: Callable[[], int] = lambda: 1000
    _iterator: str | None = None

    def open(self, shard_id: str, parent_id: str | None = None) -> FakeShard:
        shard = FakeShard(shard_id, parent_id)
        self.shards_by_id[shard_id] = shard
        return shard

    def close(self, *shard_ids: str) -> None:
        for shard_id in shard_ids:
            self.shards_by_id[shard_id].is_closed = True

    def trim(self, shard_id: str) -> None:
        """Forgets everything that a shard holds now."""
        shard = self.shards_by_id[shard_id]
        shard.trimmed = len(shard.records)

    def pump(self) -> int:
        """Takes over what the table's own stream holds by now; says how many records.

        Leases are left out: a worker that stops and starts would make them for ever.
        """
        if self._iterator is None:
            self._iterator = self.real.iterator(self.real.shards()[0].shard_id, "")
        taken = 0
        while self._iterator:
            records, self._iterator = self.real.read(self._iterator)
            others = [record for record in records if type_of(record) != Lease.__name__]
            for record in others:
                self.shards_by_id[self.route(record)].records.append(record)
            taken += len(others)
            if not records:
                break
        return taken

    # What the worker calls

    def shards(self) -> list[Shard]:
        return [
            Shard(shard.shard_id, shard.parent_id)
            for shard in self.shards_by_id.values()
            if shard.is_listed
        ]

    def iterator(self, shard_id: str, after: str) -> str:
        shard = self.shards_by_id[shard_id]
        if not after:
            return f"{shard_id}|{shard.trimmed}"
        place = [record["dynamodb"]["SequenceNumber"] for record in shard.records].index(after) + 1
        if place < shard.trimmed:
            raise TrimmedData(shard_id)
        return f"{shard_id}|{place}"

    def read(self, iterator: str) -> tuple[list[Record], str | None]:
        shard_id, _, place = iterator.partition("|")
        if self.expire_next:
            self.expire_next -= 1
            raise StaleIterator(iterator)
        shard, start = self.shards_by_id[shard_id], int(place)
        if start < shard.trimmed:
            raise TrimmedData(shard_id)
        records = shard.records[start : start + self.most_a_read()]
        self.read_log += [shard_id] * len(records)
        end = start + len(records)
        at_end = shard.is_closed and end == len(shard.records)
        return records, None if at_end else f"{shard_id}|{end}"


def by_partition(*shard_ids: str, seed: int = 0) -> Callable[[Record], str]:
    """All records of one partition key on one shard, as DynamoDB deals them: the order of an item is kept."""

    def route(record: Record) -> str:
        partition = record["dynamodb"]["Keys"]["PK"]["S"]
        return random.Random(f"{seed} {partition}").choice(shard_ids)

    return route


# Streams as Amazon's may be: shards that split and merge, iterators that expire, records trimmed, late or twice.

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def stream(table: str) -> FakeStream:
    """One open shard, named as the table's own, so that `/readyz` looks at its lease."""
    stream = FakeStream(route=lambda record: "")
    shard = stream.open(stream.real.shards()[0].shard_id)
    stream.route = by_partition(shard.shard_id)
    return stream


def shard_of(stream: FakeStream) -> str:
    return next(iter(stream.shards_by_id))


def work(worker: Worker, stream: FakeStream) -> None:
    """Until nothing is left in any shard."""
    quiet = 0
    while quiet < 3:
        worker.discovered_at = None
        worker.run(Rounds(5))
        quiet = 0 if stream.pump() else quiet + 1


def like(fan: Viewer, author: Viewer, post_id: str) -> None:
    like_post(by=fan, post_id=post_id, author_id=author.user_id)


def timeline(viewer: Viewer) -> list[str]:
    return [card.post_id for card in get_timeline(viewer).items]


def test_the_children_of_a_split_shard_are_read_after_it(alice, bob, carol, stream):
    parent = shard_of(stream)
    post_id = post(alice)
    like(bob, alice, post_id)
    stream.pump()
    stream.close(parent)
    for child in ("left", "right"):
        stream.open(child, parent)
    stream.route = by_partition("left", "right")
    unlike_post(by=bob, post_id=post_id)
    like(carol, alice, post_id)
    follow(by=bob, user_id=alice.user_id)
    stream.pump()
    work(Worker(stream=stream), stream)
    first_child = next(n for n, name in enumerate(stream.read_log) if name != parent)
    assert parent not in stream.read_log[first_child:]
    assert get_like_count(post_id) == 1
    assert timeline(bob) == [post_id]
    assert get(Lease, keys.lease(parent)).is_done


def test_the_child_of_two_merged_shards_is_read_after_the_parent_it_names(alice, bob, stream):
    parent = shard_of(stream)
    stream.open("other")
    stream.route = by_partition(parent, "other", seed=3)
    post_id = post(alice)
    like(bob, alice, post_id)
    stream.pump()
    stream.close(parent, "other")
    stream.open("merged", parent)
    stream.route = by_partition("merged")
    unlike_post(by=bob, post_id=post_id)
    work(Worker(stream=stream), stream)
    merged = stream.read_log.index("merged")
    assert parent not in stream.read_log[merged:]
    assert get_like_count(post_id) == 0
    assert broken_invariants() == {}


def test_a_child_whose_parent_the_stream_has_forgotten_is_read(alice, bob, stream):
    stream.shards_by_id[shard_of(stream)].is_listed = False
    stream.open("child", shard_of(stream))
    stream.route = by_partition("child")
    post_id = post(alice)
    like(bob, alice, post_id)
    work(Worker(stream=stream), stream)
    assert get_like_count(post_id) == 1


@pytest.mark.parametrize("times", [1, 3])
def test_an_expired_iterator_is_renewed_where_it_was(alice, bob, stream, times):
    post_id = post(alice)
    worker = Worker(stream=stream)
    work(worker, stream)
    like(bob, alice, post_id)
    stream.pump()
    stream.expire_next = times
    work(worker, stream)
    assert get_like_count(post_id) == 1


def lose_a_like(alice: Viewer, bob: Viewer, carol: Viewer, stream: FakeStream) -> str:
    """Bob's like is trimmed before anyone read it; carol's comes after."""
    post_id = post(alice)
    worker = Worker(stream=stream)
    work(worker, stream)
    like(bob, alice, post_id)
    stream.pump()
    stream.trim(shard_of(stream))
    like(carol, alice, post_id)
    stream.pump()
    worker.step()
    worker.give_up()
    return post_id


def gap() -> bool:
    return bool(Client().get("/readyz").json()["worker"]["gap"])


def test_records_trimmed_unread_are_a_gap_that_readyz_shows(alice, bob, carol, stream):
    post_id = lose_a_like(alice, bob, carol, stream)
    assert get_like_count(post_id) == 1
    assert get(Lease, keys.lease(shard_of(stream))).has_gap
    assert gap()
    assert Client().get("/readyz").json()["status"] == "degraded"


def test_what_was_lost_is_made_up_for_by_a_job_that_begins_by_itself(alice, bob, carol, stream):
    post_id = lose_a_like(alice, bob, carol, stream)
    work(Worker(stream=stream), stream)
    assert get_like_count(post_id) == 2
    assert not gap()
    assert broken_invariants() == {}


def test_records_trimmed_between_iterator_and_read_are_a_gap_too(alice, bob, stream):
    post_id = post(alice)
    worker = Worker(stream=stream)
    stream.pump()
    worker.step()  # holds an iterator
    like(bob, alice, post_id)
    stream.pump()
    stream.trim(shard_of(stream))
    for _ in range(2):
        worker.step()
    assert gap()


def test_reconcile_counts_anew_what_was_lost(alice, bob, carol, stream):
    post_id = lose_a_like(alice, bob, carol, stream)
    assert get_like_count(post_id) == 1
    call_command("reconcile", stdout=StringIO())  # the job that the gap began comes first
    assert get_like_count(post_id) == 2
    assert broken_invariants() == {}


def test_after_reconcile_there_is_no_gap_any_more(alice, bob, carol, stream):
    lose_a_like(alice, bob, carol, stream)
    call_command("reconcile", stdout=StringIO())
    assert not gap()


def test_a_record_that_the_stream_repeats_counts_once(alice, bob, stream):
    post_id = post(alice)
    worker = Worker(stream=stream)
    work(worker, stream)
    like(bob, alice, post_id)
    stream.pump()
    records = stream.shards_by_id[shard_of(stream)].records
    records += records[-3:]
    work(worker, stream)
    assert get_like_count(post_id) == 1


@pytest.mark.parametrize("number", range(60 if IS_LONG else 4))
def test_the_order_of_different_items_does_not_matter(table, stream, number):
    """Partitions lie on four shards that are read unevenly; what belongs to one item stays in order."""
    chance = random.Random(f"{SEED} {number}")
    print(f"FAULTS_SEED={SEED}")
    people = [person(name) for name in ("alice", "bob", "carol")]
    shards = [shard_of(stream), "second", "third", "fourth"]
    for shard_id in shards[1:]:
        stream.open(shard_id)
    stream.route = by_partition(*shards, seed=chance.randrange(1000))
    stream.most_a_read = lambda: chance.choice((0, 1, 2, 50))
    worker = Worker(stream=stream)
    posts: dict[str, Viewer] = {}
    for _ in range(30):
        one, other = chance.sample(people, 2)
        what = chance.choice(("post", "post", "follow", "follow", "unfollow", "like", "delete"))
        if what == "post":
            posts[post(one)] = one
        elif what == "follow":
            follow(by=one, user_id=other.user_id)
        elif what == "unfollow":
            unfollow(by=one, user_id=other.user_id)
        elif posts:
            post_id = chance.choice(list(posts))
            if what == "like":
                like(one, posts[post_id], post_id)
            else:
                delete_post(by=posts.pop(post_id), post_id=post_id)
        if chance.random() < 0.3:
            stream.pump()
            worker.run(Rounds(chance.randrange(1, 4)))
    stream.most_a_read = lambda: 1000
    work(worker, stream)
    assert broken_invariants() == {}
    assert list_dead_letters() == []
    for reader in people:
        authors = {reader.user_id, *followed_by(reader)}
        expected = [post_id for post_id, author in posts.items() if author.user_id in authors]
        assert timeline(reader) == sorted(expected, reverse=True)


def followed_by(viewer: Viewer) -> set[str]:
    return {card.user_id for card in list_following(viewer.user_id).items}


# A record that no handler can apply is parked without what someone wrote, and everything else goes on.

PRIVATE = "my secret recipe"


def broken_handler(*_: object) -> None:
    raise ValueError(PRIVATE)


@contextmanager
def replaced(model: type[Item], event: str, *handlers: Callable[..., None]) -> Iterator[None]:
    """Other handlers for one kind of change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(dispatch._handlers, (model, event), list(handlers))
        yield


def redrive() -> str:
    said = StringIO()
    call_command("redrive", stdout=said)
    return said.getvalue()


def readiness() -> dict[str, Any]:
    answer: dict[str, Any] = Client().get("/readyz").json()
    return answer


def put_raw(key: keys.Key, **attributes: dict[str, str]) -> None:
    """Writes an item as another program would."""
    client().put_item(TableName=table_name(), Item=wire(key) | attributes)


def test_a_record_whose_handler_fails_is_parked_and_the_shard_goes_on(alice, bob, worker):
    with replaced(Post, "INSERT", broken_handler):
        post_id = post(alice, PRIVATE)
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
        drain(worker)
    assert get_like_count(post_id) == 1
    (letter,) = list_dead_letters()
    assert letter.image["post_id"]["S"] == post_id
    assert readiness()["status"] == "degraded"
    assert readiness()["worker"]["dead_letters"] == 1


def test_a_parked_record_holds_nothing_that_somebody_wrote(alice, worker):
    with replaced(Post, "INSERT", broken_handler):
        post(alice, PRIVATE)
        drain(worker)
    (letter,) = list_dead_letters()
    assert PRIVATE not in str(letter.serialize())
    assert "broken_handler: ValueError" in letter.error


def test_a_redrive_while_the_cause_lasts_keeps_the_letter(alice, worker):
    with replaced(Post, "INSERT", broken_handler):
        post(alice)
        drain(worker)
        assert redrive().startswith("0 applied, 1 still failing.")
    assert len(list_dead_letters()) == 1


def test_a_parked_like_is_counted_once_however_often_it_is_redriven(alice, bob, worker):
    post_id = post(alice)
    with replaced(Like, "INSERT", broken_handler):
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
        drain(worker)
    assert get_like_count(post_id) == 0
    assert redrive().startswith("1 applied, 0 still failing.")
    assert redrive().startswith("0 applied, 0 still failing.")
    drain(worker)
    assert get_like_count(post_id) == 1
    assert readiness()["worker"]["dead_letters"] == 0


def test_what_one_handler_entered_before_another_failed_counts_once(alice, bob, worker):
    post_id = post(alice)
    drain(worker)
    counting = dispatch._handlers[Like, "INSERT"]
    with replaced(Like, "INSERT", *counting, broken_handler):
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
        drain(worker)
    redrive()
    drain(worker)
    assert get_like_count(post_id) == 1


PARKED = [
    ("follow", Following, "INSERT"),
    ("unfollow", Following, "REMOVE"),
    ("publish", Post, "INSERT"),
    ("publish by job", Post, "INSERT"),
    ("publish by job", Job, "INSERT"),
    ("publish by job", Job, "MODIFY"),
    ("delete a liked post", Post, "REMOVE"),
    ("like a deleted post", Like, "INSERT"),
    ("like", Like, "REMOVE"),
    ("cross to pull", Job, "MODIFY"),
    ("come back", UserSettings, "MODIFY"),
]


def scenario_of(name: str) -> Scenario:
    return next(scenario for scenario in SCENARIOS if scenario.name == name)


@pytest.mark.parametrize(("name", "model", "event"), PARKED)
def test_every_kind_of_record_can_be_parked_and_redriven(worker, settings, name, model, event):
    scenario = scenario_of(name)
    for setting, value in scenario.settings.items():
        setattr(settings, setting, value)
    cast = Cast.of(0, scenario.fans)
    scenario.before(cast)
    drain(worker)
    with replaced(model, event, broken_handler):
        scenario.act(cast)
        drain(worker)
    assert list_dead_letters(), "nothing was parked"
    for _ in range(10):  # a job's next step may be parked behind the one at hand
        redrive()
        drain(worker)
    assert not list_dead_letters()
    if (model, event) == (Post, "REMOVE"):
        call_command(
            "index_posts"
        )  # a dead letter has no text, so nobody knows the words of before
    scenario.after(cast)
    assert broken_invariants() == {}


STRANGE = {
    "of a type that nobody knows": {"type": {"S": "Horoscope"}, "post_id": {"S": "x"}},
    "of no type": {"post_id": {"S": "x"}},
    "whose id is a number": {"type": {"S": "Like"}, "post_id": {"N": "5"}},
    "that lacks its ids": {"type": {"S": "Post"}, "content": {"S": PRIVATE}},
    "whose number is a text": {"type": {"S": "Post"}, "like_shards": {"S": "many"}},
    "with a strange end": {"type": {"S": "Like"}, "ttl": {"S": "soon"}},
}


@pytest.mark.parametrize("shape", STRANGE.values(), ids=list(STRANGE))
def test_a_strange_item_stops_no_shard(alice, bob, worker, shape):
    """Of a newer or older version of the site, or of another program."""
    post_id = post(alice)
    key = keys.Key("u#x#strange", "strange")
    put_raw(key, **shape)
    client().delete_item(TableName=table_name(), Key=wire(key))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    worker.run(Rounds(6))
    assert get_like_count(post_id) == 1
    assert PRIVATE not in str([letter.serialize() for letter in list_dead_letters()])


def test_an_expired_item_of_no_type_stops_no_shard(alice, bob, worker):
    post_id = post(alice)
    key = keys.Key("u#x#strange", "strange")
    put_raw(key, ttl={"N": "1"})
    client().delete_item(TableName=table_name(), Key=wire(key))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    worker.run(Rounds(6))
    assert get_like_count(post_id) == 1


def test_a_strange_item_is_parked_or_passed_over_once(alice, worker):
    put_raw(keys.post("nobody", ids.new_id()), type={"S": "Post"}, content={"S": PRIVATE})
    worker.run(Rounds(6))
    (letter,) = list_dead_letters()
    assert letter.event == "INSERT"
    worker.run(Rounds(6))
    assert len(list_dead_letters()) == 1
    assert person("dora")

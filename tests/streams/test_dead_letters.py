"""A record that cannot be applied is parked, holds nothing up, and is tried again when asked."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from accounts.models import UserCount, UserSettings
from accounts.sign_in.writes import sign_in
from feed.cards.reads import get_post
from feed.posts.models import Audience, Post, Reply, Repost
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import quote, repost
from relations.follows.writes import WORKER, follow, unfollow
from relations.models import Following
from socialsite.models import RateLimit
from socialsite.streams.change import Change
from socialsite.streams.dispatch import Event, _handled_types, _handlers, on, redrive
from socialsite.streams.jobs import STEPS
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import JobKind
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Item, create, fetch, ids, keys, query, write_batch
from tests.conftest import person, post
from tests.feed.scenes import answer
from tests.streams.crowd import crowd, gather, home, jobs, last_here, reached
from tests.streams.records import broken_post


class Moody:
    """A handler that fails until it is mended, and then counts into a person's posts."""

    __name__ = "moody"

    def __init__(self, user_id: str) -> None:
        self.user_id = user_id
        self.is_broken = True
        self.tries = 0

    def __call__(self, change: Change, ledger: Ledger) -> None:
        self.tries += 1
        if self.is_broken:
            raise RuntimeError("what somebody wrote")
        key = keys.user_count(self.user_id)
        ledger.add(UserCount, key, UserCount.posts, 1, if_gone=lambda: None)


@contextmanager
def broken_handler(model: type[Item], event: Event, user_id: str) -> Iterator[Moody]:
    handler, handled = Moody(user_id), {*_handled_types}
    on(model, event)(handler)
    try:
        yield handler
    finally:
        _handlers[model, event].remove(handler)
        _handled_types.intersection_update(handled)


@pytest.fixture
def moody(alice) -> Iterator[Moody]:
    with broken_handler(RateLimit, "INSERT", alice.user_id) as handler:
        yield handler


def limit(number: int = 0) -> RateLimit:
    return RateLimit(*keys.rate_limit("test", "x", number), hits=1)


def posts_of(user_id: str) -> int:
    raw = fetch([keys.user_count(user_id)], consistent=True)[keys.user_count(user_id)]
    return int(raw["post#"]["N"])


def test_the_records_around_it_are_applied(alice, bob, carol, worker):
    follow(by=bob, user_id=alice.user_id)
    before = post(alice)
    write_batch(puts=[broken_post(carol)])
    after = post(alice)
    worker.drain()
    assert home(bob) == [after, before]
    assert len(list_dead_letters()) == 1


def test_it_is_tried_three_times_and_parked_once(alice, moody, worker):
    create(limit())
    worker.drain()
    assert moody.tries == 3
    worker.give_up()
    Worker().drain()
    assert moody.tries == 3
    assert len(list_dead_letters()) == 1


def test_what_is_kept_tells_where_and_why_and_nothing_that_somebody_wrote(carol, worker):
    secret = broken_post(carol)
    secret.content = "between you and me"
    write_batch(puts=[secret])
    worker.drain()
    (letter,) = list_dead_letters()
    assert (letter.shard_id, letter.event) == (worker.shards[0].shard_id, "INSERT")
    assert letter.image["PK"] == {"S": secret.pk}
    assert "ValueError" in letter.error
    raw = fetch([letter.key])[letter.key]
    assert "between you and me" not in json.dumps(raw)


def test_the_message_of_an_error_is_not_kept(alice, moody, worker):
    create(limit())
    worker.drain()
    (letter,) = list_dead_letters()
    assert letter.error == "moody: RuntimeError"


def test_redriving_a_mended_record_applies_it_once(alice, moody, worker):
    create(limit())
    worker.drain()
    (letter,) = list_dead_letters()
    moody.is_broken = False
    assert redrive(letter)
    assert redrive(letter)
    assert posts_of(alice.user_id) == 1
    assert not list_dead_letters()


def test_redriving_what_still_fails_keeps_it(alice, moody, worker):
    create(limit())
    worker.drain()
    (letter,) = list_dead_letters()
    assert not redrive(letter)
    assert [one.key for one in list_dead_letters()] == [letter.key]
    assert posts_of(alice.user_id) == 0


def test_a_parked_post_reaches_its_followers_when_its_author_is_whole_again(
    alice, bob, worker, settings
):
    follow(by=bob, user_id=alice.user_id)
    worker.drain()
    settings.PULL_ABOVE = 0
    info = take_away(alice.user_id)
    publish_post(by=alice, content="Hello", nonce=ids.new_id())
    worker.drain()
    (letter,) = list_dead_letters()
    write_batch(puts=[info])
    assert redrive(letter)
    worker.drain()
    assert len(home(bob)) == 1
    assert not list_dead_letters()


def take_away(user_id: str) -> Item:
    key = keys.user_info(user_id)
    info = Item.from_raw_data(fetch([key])[key])
    write_batch(deletes=[key])
    return info


def test_a_parked_jobs_step_goes_on_where_the_job_stood(alice, worker, settings, monkeypatch):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 2, 5
    fans = gather(crowd(7), alice)
    worker.drain()
    whole = STEPS[JobKind.FAN_OUT]
    post_id = post(alice)
    worker.step()
    worker.step()
    monkeypatch.delitem(STEPS, JobKind.FAN_OUT)
    worker.drain()
    assert reached(fans, post_id, alice) == 5
    monkeypatch.setitem(STEPS, JobKind.FAN_OUT, whole)
    (letter,) = list_dead_letters()
    assert redrive(letter)
    worker.drain()
    assert reached(fans, post_id, alice) == 7
    assert not jobs(JobKind.FAN_OUT)


def test_a_parked_return_is_rebuilt_when_it_is_redriven(alice, bob, worker):
    follow(by=bob, user_id=alice.user_id)
    last_here(bob, "2020-01-01")
    worker.drain()
    post_id = post(alice)
    with broken_handler(UserSettings, "MODIFY", alice.user_id) as handler:
        sign_in(user_id=bob.user_id, browser="tests")
        worker.drain()
        (letter,) = list_dead_letters()
        handler.is_broken = False
        assert redrive(letter)
    worker.drain()
    assert home(bob) == [post_id]
    assert posts_of(alice.user_id) == 2


def test_dead_letters_are_listed_oldest_first_and_bounded(alice, moody, worker):
    for number in range(5):
        create(limit(number))
    worker.drain()
    assert len(list_dead_letters(limit=3)) == 3
    assert len(list_dead_letters()) == 5


@pytest.mark.parametrize(("event", "after"), [("INSERT", 1), ("REMOVE", 0)])
def test_a_parked_follow_still_says_who_counts_it(alice, bob, worker, event, after):
    """The worker counts it once, when it is tried again."""
    with broken_handler(Following, event, bob.user_id) as handler:
        follow(by=bob, user_id=alice.user_id, is_widely_followed=True)
        if event == "REMOVE":
            unfollow(by=bob, user_id=alice.user_id)
        worker.drain()
        (letter,) = list_dead_letters()
        assert letter.image["counted_by"] == {"S": WORKER}
        assert followers_of(alice.user_id) == 1 - after
        handler.is_broken = False
        assert redrive(letter)
        assert followers_of(alice.user_id) == after


def followers_of(user_id: str) -> int:
    raw = fetch([keys.user_count(user_id)], consistent=True)[keys.user_count(user_id)]
    return int(raw["follower#"]["N"])


# What people say, parked and tried again: what is kept of it still decides whom it reaches and how it counts.


@pytest.fixture
def reader(alice, bob, worker):
    """A person who follows bob alone."""
    reader = person("reader")
    follow(by=reader, user_id=bob.user_id)
    worker.drain()
    return reader


def parked_and_redriven(worker, model, event, act, counting) -> None:
    """Does something while a handler fails, and tries again once it is mended. The handler counts for `counting`."""
    with broken_handler(model, event, counting.user_id) as handler:
        act()
        worker.drain()
        (letter,) = list_dead_letters()
        handler.is_broken = False
        assert redrive(letter)
    worker.drain()
    assert not list_dead_letters()


def test_a_repost_brings_the_post(alice, bob, carol, reader, worker):
    post_id = post(alice)
    worker.drain()
    where = Pointer(post_id, alice.user_id)
    parked_and_redriven(worker, Repost, "INSERT", lambda: repost(by=bob, post=where), carol)
    (raw,) = query(keys.timeline(reader.user_id))
    assert raw["repost_of"]["S"] == post_id
    assert home(reader) == [post_id]


def test_a_reply_reaches_none_who_follow_its_author_alone(alice, bob, carol, reader, worker):
    root = post(alice)
    worker.drain()
    parked_and_redriven(worker, Post, "INSERT", lambda: answer(bob, alice, root), carol)
    assert not list(query(keys.timeline(reader.user_id)))


def test_a_post_for_some_stands_in_no_list_of_others(alice, bob, carol, reader, worker):
    nonce = ids.new_id()

    def act() -> None:
        publish_post(by=bob, content="Psst", nonce=nonce, audience=Audience.FRIENDS)

    parked_and_redriven(worker, Post, "INSERT", act, carol)
    (own,) = query(keys.posts(bob.user_id))
    assert reached([reader], own["post_id"]["S"], bob) == 0


def test_a_quote_is_counted(alice, bob, carol, worker):
    post_id = post(alice)
    worker.drain()
    where = Pointer(post_id, alice.user_id)

    def act() -> None:
        quote(by=bob, post=where, content="Look", nonce="form")

    parked_and_redriven(worker, Post, "INSERT", act, carol)
    assert get_post(post_id, alice.user_id).quote_count == 1


def test_a_deleted_reply_is_counted_off_and_its_place_removed(alice, bob, carol, worker):
    root = post(alice)
    reply = answer(bob, alice, root)
    worker.drain()
    assert get_post(root, alice.user_id).reply_count == 1

    def act() -> None:
        delete_post(by=bob, post_id=reply)

    parked_and_redriven(worker, Reply, "MODIFY", act, carol)
    assert get_post(root, alice.user_id).reply_count == 0
    assert not fetch([keys.reply_place(root, reply)], consistent=True)

"""What people say, parked and tried again: what is kept of it still decides whom it reaches and how it counts."""

import pytest

from feed.cards.reads import get_post
from feed.posts.models import Audience, Post, Reply, Repost
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import quote, repost
from relations.follows.writes import follow
from socialsite.streams.dispatch import redrive
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import fetch, ids, keys, query
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.streams.crowd import home, reached
from tests.streams.test_dead_letters import broken_handler


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


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

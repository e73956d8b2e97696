"""The open pages of the site: connections are given back, a crowd is told one after the other, tokens are cut."""

import asyncio
from typing import Any

import pytest

from notifications.live.readers import AT_ONCE, Reader, Readers, own_topics
from notifications.live.server import MOST_TOKENS, read_query
from socialsite.news import News, topic_of, watch, watched

THREAD = topic_of(News.THREAD, "a thread")


def readers(*, per_person: int = 8) -> Readers:
    return Readers(most=1_000, per_person=per_person, per_address=1_000)


def reader(number: int = 0, *topics: bytes) -> Reader:
    return Reader(f"person{number}", "", "192.0.2.1", frozenset(topics))


@pytest.fixture
def timers(monkeypatch) -> list[Any]:
    """What the loop was asked to do later."""
    asked: list[Any] = []
    monkeypatch.setattr(
        asyncio.BaseEventLoop,
        "call_later",
        lambda _loop, _wait, act, *args: asked.append((act, args)),
    )
    return asked


@pytest.mark.parametrize("per_person", [1, 2])
def test_connections_are_given_back_where_the_oldest_made_room(per_person):
    kept, many = readers(per_person=per_person), [reader() for _ in range(4)]
    for one in many:
        kept.add(one, ago=0)
    assert len(kept) == len([*kept]) == per_person
    assert [one.is_over for one in many] == [True] * (4 - per_person) + [False] * per_person
    for one in many:
        kept.remove(one)
    assert len(kept) == 0
    assert not kept._of_address
    assert not kept._of_person


def test_of_a_flood_each_of_a_crowd_waits_once(timers):
    async def hear() -> None:
        kept, crowd = readers(), [reader(number, THREAD) for number in range(AT_ONCE)]
        for one in crowd:
            kept.add(one, ago=0)
        for _ in range(50):
            kept.hear([(News.THREAD, THREAD)])
        assert len(timers) == AT_ONCE
        assert not any(one.news for one in crowd)
        for act, args in timers:
            act(*args)
        assert all(one.news == {News.THREAD} for one in crowd)
        kept.hear([(News.THREAD, THREAD)])  # later news are told later again
        assert len(timers) == 2 * AT_ONCE

    asyncio.run(hear())


def test_of_many_tokens_the_first_count_and_so_does_the_moment(table):
    tokens = [watch("alice", News.THREAD, [f"thread {number}"]) for number in range(20)]
    query = "&".join(["ago=30", *(f"w={one}" for one in tokens)]).encode()
    ago, topics = read_query("alice", query)
    assert ago == 30
    shown = [watched("alice", one) for one in tokens[:MOST_TOKENS]]
    assert topics == own_topics("alice").union(*shown)


def test_what_one_hears_of_after_its_end_is_not_kept():
    """A stream of an app may wait for an answer while the oldest of its token ends."""
    kept, one = readers(per_person=1), reader()
    kept.add(one, ago=0)
    kept.add(reader(), ago=0)
    kept.watch(one, THREAD)
    kept.remove(one)
    assert THREAD not in kept._watching


def test_that_posts_have_changed_is_not_kept_for_those_who_come():
    """Many that are deleted at once would push out what they do need."""
    kept, post = readers(), topic_of(News.CHANGED, "a post")
    kept.hear([(News.CHANGED, post)])
    assert not kept._order
    came = reader(0, post)
    kept.add(came, ago=10)
    assert not came.news

"""What the stream does for the feed: fan-out, backfill, like counts, clean-up.

Called by the stream worker only. Every handler may run twice: it puts items with fixed keys, deletes by key, or enters
a sum into the ledger, which counts each record once.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TypeVar

from django.conf import settings

from accounts.models import Follower, Following
from feed.access_patterns import newest_pointers
from feed.local_timeline import DAYS as PUBLIC_DAYS
from feed.local_timeline import day_of, shard_of
from feed.models import Like, LikeCount, Post, PublicEntry, TimelineEntry
from feed.services.publish_post import timeline_end
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys, reading
from socialsite.table.item import Item
from socialsite.table.reading import query
from socialsite.table.writing import write_batch

T = TypeVar("T")

CHUNK = 500  # entries in memory at a time


@on(Post, "INSERT")
def fan_out_post(change: Change, ledger: Ledger) -> None:
    """A post was published: points every follower's timeline at it.

    Reads the followers consistently, so that a follow that committed before is never missed. Twice is safe: the
    entries have fixed keys.
    """
    post = _item(change, Post)
    end = timeline_end(ids.time_of(post.post_id))
    if end < datetime.now(UTC):
        return
    followers = query(keys.followers(post.author_id), consistent=True)
    entries = (
        TimelineEntry.new(
            user_id=reading.text(raw, Follower.follower_id),
            post_id=post.post_id,
            author_id=post.author_id,
            ttl=end,
        )
        for raw in followers
    )
    for chunk in _chunks(entries):
        write_batch(puts=chunk)
    ledger.note_effect()


@on(Post, "INSERT")
def list_in_public(change: Change, ledger: Ledger) -> None:
    """A post was published: points the local timeline at it. Twice is safe: the entry has a fixed key."""
    post = _item(change, Post)
    created = ids.time_of(post.post_id)
    entry = PublicEntry.new(
        day=day_of(post.post_id),
        shard=shard_of(post.post_id),
        post_id=post.post_id,
        author_id=post.author_id,
        ttl=created + timedelta(days=PUBLIC_DAYS + 1),
    )
    write_batch(puts=[entry])
    ledger.note_effect()


@on(Post, "REMOVE")
def clear_post(change: Change, ledger: Ledger) -> None:
    """A post was deleted: deletes its likes with their traces, and its own pointers.

    Pointers in followers' timelines lead nowhere from now on and expire. Twice is safe: it deletes by key.
    """
    post = _item(change, Post)
    likes = query(keys.likes(post.post_id), consistent=True)
    deletes = (
        key
        for raw in likes
        for user_id in (reading.text(raw, Like.user_id),)
        for key in (keys.like(post.post_id, user_id), keys.like_trace(user_id, post.post_id))
    )
    for chunk in _chunks(deletes):
        write_batch(deletes=chunk)
    day, shard = day_of(post.post_id), shard_of(post.post_id)
    write_batch(
        deletes=[
            keys.timeline_entry(post.author_id, post.post_id, post.author_id),
            keys.public_entry(day, shard, post.post_id, post.author_id),
        ]
    )
    ledger.note_effect()


@on(Following, "INSERT")
def backfill_timeline(change: Change, ledger: Ledger) -> None:
    """Somebody was followed: puts their newest posts into the follower's timeline.

    Reads consistently, so that a post that committed before is never missed. Twice is safe: the entries have fixed
    keys.
    """
    following = _item(change, Following)
    oldest = datetime.now(UTC) - timedelta(days=settings.TIMELINE_DAYS)
    entries = [
        TimelineEntry.new(
            user_id=following.user_id,
            post_id=pointer.post_id,
            author_id=pointer.author_id,
            ttl=timeline_end(created),
        )
        for pointer in newest_pointers(following.followed_id, count=settings.BACKFILL_POSTS)
        if (created := ids.time_of(pointer.post_id)) > oldest
    ]
    write_batch(puts=entries)
    ledger.note_effect()


@on(Following, "REMOVE")
def empty_timeline(change: Change, ledger: Ledger) -> None:
    """Somebody was unfollowed: takes their posts out of the timeline.

    Twice is safe: it deletes by key. If they are followed again meanwhile, that change comes later in the stream and
    puts the posts back.
    """
    following = _item(change, Following)
    oldest = ids.first_id_at(datetime.now(UTC) - timedelta(days=settings.TIMELINE_DAYS))
    partition = keys.posts(following.followed_id)
    first, last = keys.post("", oldest).sk, keys.post("", "~").sk
    posts = query(partition, between=(first, last), consistent=True)
    deletes = (
        keys.timeline_entry(
            following.user_id, reading.text(raw, Post.post_id), following.followed_id
        )
        for raw in posts
    )
    for chunk in _chunks(deletes):
        write_batch(deletes=chunk)
    ledger.note_effect()


@on(Like, "INSERT", "REMOVE")
def count_like(change: Change, ledger: Ledger) -> None:
    """A like came or went: adds to the post's count, through the ledger, which counts each record once.

    If the count is gone, so is the post: a like that crossed the deletion is deleted too.
    """
    like = _item(change, Like)

    def clear_like() -> None:
        deletes = [
            keys.like(like.post_id, like.user_id),
            keys.like_trace(like.user_id, like.post_id),
        ]
        write_batch(deletes=deletes)

    difference = 1 if change.event == "INSERT" else -1
    key = keys.like_count(like.post_id)
    ledger.add(LikeCount, key, LikeCount.likes, difference, if_gone=clear_like)


I = TypeVar("I", bound=Item)  # noqa: E741


def _item(change: Change, model: type[I]) -> I:
    assert isinstance(change.item, model)
    return change.item


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk

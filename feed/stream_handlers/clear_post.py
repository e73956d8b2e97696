"""Clears what belonged to a deleted post."""

from itertools import islice

from feed.expiring.ending import key_of_end as key_of_ending
from feed.like_shards import like_partitions
from feed.local_timeline import day_of, shard_of
from feed.models import Like, Post, Reposter
from feed.polls.clearing import clear_all_votes
from feed.polls.closing import key_of_end
from feed.reposts.clearing import clear_reposts
from feed.stream_handlers.threads.prune_thread import clear_gate
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys, reading
from socialsite.table.reading import query
from socialsite.table.row import row
from socialsite.table.writing import write_batch

CHUNK = 250


@on(Post, "REMOVE")
def clear_post(change: Change, ledger: Ledger) -> None:
    """Deletes a deleted post's likes, reposts and votes with their traces, the list of its quotes, its own pointers,
    what it said before its edits, the planned end of a poll and of the post, and the gate of a thread without replies.

    A post that ended by itself leaves its counts too. Pointers in followers' timelines then lead nowhere, and expire.
    Safe to run twice: it deletes by key.
    """
    post = change.item
    assert isinstance(post, Post)
    for partition in like_partitions(post.post_id, int(post.like_shards or 0)):
        likes = query(partition, consistent=True)
        while chunk := list(islice(likes, CHUNK)):
            likers = [row(Like, raw).user_id for raw in chunk]
            write_batch(
                deletes=[
                    *map(reading.key_of, chunk),
                    *(keys.like_trace(who, post.post_id) for who in likers),
                ]
            )
    reposts = query(keys.reposters(post.post_id), consistent=True)
    while chunk := list(islice(reposts, CHUNK)):
        clear_reposts(row(Reposter, raw) for raw in chunk)
    quotes = query(keys.quotes(post.post_id), consistent=True)
    while chunk := list(islice(quotes, CHUNK)):
        write_batch(deletes=map(reading.key_of, chunk))
    if post.poll:
        clear_all_votes(post.post_id)
    if post.version:
        versions = query(keys.history(post.post_id), consistent=True)
        while chunk := list(islice(versions, CHUNK)):
            write_batch(deletes=map(reading.key_of, chunk))
    day, shard = day_of(post.post_id), shard_of(post.post_id)
    write_batch(
        deletes=[
            keys.timeline_entry(post.author_id, post.post_id, post.author_id),
            keys.public_entry(day, shard, post.post_id, post.author_id),
            *([keys.quote(post.quote_of, post.post_id)] if post.quote_of else []),
            *([key_of_end(post)] if post.poll else []),
            *([keys.like_count(post.post_id), key_of_ending(post)] if post.ttl else []),
        ]
    )
    if not post.root_id:
        clear_gate(post.post_id)
    ledger.note_effect()

"""Clears the votes of posts that are gone."""

from collections.abc import Iterable
from itertools import islice

from feed.models import Vote
from socialsite.table import keys
from socialsite.table.reading import query
from socialsite.table.row import row
from socialsite.table.writing import write_batch

CHUNK = 250


def clear_votes(votes: Iterable[Vote]) -> None:
    """Deletes votes with the traces, which hold nothing else: the post is gone, and likes and reposts with it. Safe to
    repeat. 2 write units each."""
    write_batch(
        deletes=[
            key
            for one in votes
            for key in (
                keys.vote(one.post_id, one.user_id),
                keys.like_trace(one.user_id, one.post_id),
            )
        ]
    )


def clear_all_votes(post_id: str) -> None:
    """Deletes all votes of a post: a consistent Query of each of the 16 shards, 250 votes at a time."""
    for shard in range(keys.VOTE_SHARDS):
        votes = query(keys.votes(post_id, shard), consistent=True)
        while chunk := list(islice(votes, CHUNK)):
            clear_votes(row(Vote, raw) for raw in chunk)

"""Corrects counts of votes, while people go on voting and the worker counts."""

from collections.abc import Iterator, Sequence
from functools import partial

from feed.models import LikeCount, Post, Vote
from feed.polls.clearing import clear_votes
from feed.polls.counting import COUNTERS, VOTERS, count_votes, difference
from socialsite.streams.mend_count import mend_count
from socialsite.streams.unapplied import Unapplied
from socialsite.table import keys
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row


def mend_vote_counts(raw: RawItem) -> Iterator[str]:
    """Sets the counts of a poll to the votes there are, without those that the worker has yet to count. Yields a line
    for each that was wrong.

    For each choice, and for the people who voted, one GetItem and a Query of the 16 shards, consistent; the stream
    behind the checkpoints only if they differ. Nothing for other posts.
    """
    post = row(Post, raw)
    if not post.poll:
        return
    for name in (VOTERS, *COUNTERS[: len(post.poll.options)]):
        yield from mend_count(
            LikeCount,
            keys.like_count(post.post_id),
            name,
            count=partial(_count, post.post_id, name),
            waiting=partial(_waiting, post.post_id, name),
        )


def clear_orphaned_votes(votes: Sequence[RawItem]) -> None:
    """Deletes the votes whose post is gone, with their traces. A count goes with its post."""
    those = [row(Vote, raw) for raw in votes]
    counts = fetch({keys.like_count(one.post_id): None for one in those}, consistent=True)
    clear_votes(one for one in those if keys.like_count(one.post_id) not in counts)


def _count(post_id: str, name: str) -> int:
    return count_votes(post_id)[name]


def _waiting(post_id: str, name: str, unapplied: Unapplied) -> int:
    return sum(
        difference(change.old, change.new).get(name, 0)
        for change in unapplied.changes(Vote)
        if isinstance(change.item, Vote) and change.item.post_id == post_id
    )

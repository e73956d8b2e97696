"""Voting in a poll: the vote in the post's partition, and the choices in the voter's trace of the post. The stream
worker counts. The end of a poll is planned in the transaction that publishes it, and done by the clock
(`notifications/stream_handlers.py`). Votes of posts that are gone are cleared."""

from collections.abc import Collection, Iterable
from itertools import islice

from django.utils.translation import gettext as _

from accounts.people.viewer import Viewer
from feed.cards.post_card import PollCard
from feed.cards.reads import read_trace
from feed.polls.models import NAMES, Vote, count_votes
from feed.posts.models import LikeCount, LikeTrace, Post
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.table import (
    Change,
    Create,
    Key,
    Moved,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    get,
    keys,
    query,
    row,
    transact,
    write_batch,
    write_optimistically,
)


class CannotVote(TableError):
    """The poll does not take this vote. `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class WrongChoice(CannotVote):
    """The vote is none that this poll could ever take."""


@access_pattern
def vote(
    *, by: Viewer, post_id: str, author_id: str, poll: PollCard, places: Collection[int]
) -> str:
    """Votes for the choices at these places, and returns them as they are stored. Safe to repeat. The caller has
    checked that the viewer may see the post.

    Raises `CannotVote` with a sentence (their own poll, one that has ended, one in which they voted otherwise and may
    not change it), `WrongChoice`, `Frozen`.

    One consistent GetItem of the trace, 1 read unit, then one TransactWriteItems puts Vote and LikeTrace, or changes
    one of them or both on condition that they are as read, 4 write units. Each person's vote has one key, so two at
    once are one vote. The transaction leaves the post itself alone, so votes in a popular poll do not conflict. If a
    deletion crosses the vote, the stream worker clears it.
    """
    by.must_have_voice()
    choices = _choices(poll, places)
    if author_id == by.user_id:
        raise CannotVote(_("You can’t vote in your own poll."))

    def attempt() -> None:
        trace = read_trace(by, post_id)
        before = (trace.choices if trace else None) or ""
        if before == choices:
            return
        now = utc_now()
        if poll.ends <= now:
            raise CannotVote(_("This poll has ended."))
        if before and not poll.may_change:
            raise CannotVote(_("You’ve already voted, and votes in this poll can’t be changed."))
        where = {"post_id": post_id, "author_id": author_id, "user_id": by.user_id}
        fresh = Vote.new(**where, choices=choices, at=now)
        noted = LikeTrace.new(**where, liked=False, choices=choices)
        transact(_cast(fresh, before), _noted(trace, noted))

    write_optimistically(attempt)
    return choices


def _choices(poll: PollCard, places: Collection[int]) -> str:
    chosen = sorted(set(places))
    if not chosen:
        raise WrongChoice(_("Choose an answer first."))
    if not set(chosen) <= {choice.place for choice in poll.choices}:
        raise WrongChoice(_("This poll has no such answer."))
    if len(chosen) > 1 and not poll.several:
        raise WrongChoice(_("Choose one answer only."))
    return "".join(map(str, chosen))


def _cast(fresh: Vote, before: str) -> WriteAction:
    if not before:
        return Create(fresh, otherwise=Moved)
    changes = [Vote.choices.set(fresh.choices), Vote.at.set(fresh.at)]
    return Change(Vote, fresh.key, changes, Vote.choices == before, otherwise=Moved)


def _noted(trace: LikeTrace | None, fresh: LikeTrace) -> WriteAction:
    if trace is None:
        return Create(fresh, otherwise=Moved)
    before = LikeTrace.choices
    as_read = before == trace.choices if trace.choices else before.does_not_exist()
    noted = [LikeTrace.choices.set(fresh.choices)]
    return Change(LikeTrace, keys.like_trace(fresh.user_id, fresh.post_id), noted, as_read, Moved)


CLOSE_POLL = "close-poll"


def close_later(post: Post) -> list[Create]:
    """Returns what plans the end of a post's poll, nothing for other posts. 2 write units."""
    if not post.poll:
        return []
    facts = {"author_id": post.author_id}
    return [plan(CLOSE_POLL, moment=post.poll.ends_at, subject=post.post_id, **facts)]


def key_of_closing(post: Post) -> Key:
    """Returns the key of the planned end of a post's poll."""
    return keys.due(post.poll.ends_at, CLOSE_POLL, post.post_id)


def is_settled(post_id: str) -> bool:
    """Whether the stream worker has counted every vote. A consistent Query of each of the 16 shards, 1 read unit for 4
    KB, and a consistent GetItem of the counts. A post that is gone is settled."""
    votes = count_votes(post_id)
    try:
        count = get(LikeCount, keys.like_count(post_id), consistent=True)
    except NotFound:
        return True
    return all(int(getattr(count, name) or 0) == votes[name] for name in NAMES)


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

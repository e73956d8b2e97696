"""Voting in a poll: the vote in the post's partition, and the choices in the voter's trace of the post. The stream
worker counts."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from accounts.viewer import Viewer
from feed.models import LikeTrace, Vote
from feed.polls.card import PollCard
from feed.traces import read_trace
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


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

    write_as_read(attempt)
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

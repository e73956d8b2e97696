"""Opening and ending a site vote, voting, and what an erasure leaves of a vote.

A vote is one transaction: the ballot, which makes it the only one of its person, and one more in a counter. The counter
is drawn by chance from 64, as nobody ever looks for a vote again: so no partition is hot, however many vote at once.
A counter that was calculated from the voter would spread as well, and give nothing in return. Whoever wants the sum
adds up all 64 (`stream_handlers.py`).
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.people.viewer import Viewer
from moderation.rules.writes import change_site
from moderation.staff.writes import ThereAlready, TooMany
from site_votes.models import OPTIONS, SiteBallot, SiteVote, SiteVoteCount
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.site_settings.models import SiteVoteNotice
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    TableError,
    Upsert,
    access_pattern,
    ids,
    keys,
    transact,
)

ADD_UP = "add-up-site-vote"
MOST_OPEN = 3
BALLOTS_KEPT = timedelta(days=30)  # after the end


class CannotVote(TableError):
    """The site vote does not take this vote. `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class HasEnded(TableError):
    """Nobody can vote any more."""


@access_pattern
def open_vote(*, by: Viewer, question: str, answers: Sequence[str], ends: datetime) -> str:
    """Asks everyone, and returns the id of the vote. Raises `ThereAlready` while the same is asked, and `TooMany`.

    One Query of the site's set-up, then one TransactWriteItems of SiteVote, its notice, the plan to add it up, and the
    audit entry with its head: 10 write units.
    """
    asked = [one for one in read_site_rules().votes if one.is_open]
    if any(one.question == question for one in asked):
        raise ThereAlready(question)
    if len(asked) >= MOST_OPEN:
        raise TooMany(MOST_OPEN)
    vote = SiteVote.new(vote_id=ids.new_id(), question=question, answers=answers, ends=ends)
    notice = SiteVoteNotice.new(vote_id=vote.vote_id, question=question, ends=ends)
    first = plan(ADD_UP, moment=utc_now(), subject=vote.vote_id)
    change_site(by, "open site vote", Create(vote), Create(notice), first, title=question)
    return vote.vote_id


@access_pattern
def end_vote(*, by: Viewer, vote: SiteVote) -> None:
    """Ends a vote before its time. Does nothing if it has ended.

    One TransactWriteItems, 10 write units: the clock adds it up and closes it a moment later.
    """
    now = utc_now()
    ended, key = now.isoformat(timespec="seconds"), keys.site_vote(vote.vote_id)
    notice = keys.site_vote_notice(vote.vote_id)
    if vote.is_open:
        change_site(
            by,
            "end site vote",
            Change(SiteVote, key, [SiteVote.ends.set(ended)]),
            Change(SiteVoteNotice, notice, [SiteVoteNotice.ends.set(ended)]),
            plan(ADD_UP, moment=now, subject=vote.vote_id),
            title=vote.question,
        )


@access_pattern
def cast_ballot(*, by: Viewer, vote: SiteVote, place: int) -> None:
    """Votes for the answer at this place. Raises `CannotVote` with a sentence, `Frozen`.

    One TransactWriteItems puts SiteBallot and adds to one SiteVoteCount of 64, 4 write units. Who votes twice is
    refused by the ballot, a vote that comes after the end by the counter.
    """
    by.must_have_voice()
    if not 0 <= place < len(vote.answers):
        raise CannotVote(_("Choose an answer first."))
    if not may_vote(by, vote):
        raise CannotVote(_("Only people who joined before this vote began can take part."))
    if not vote.is_open:
        raise CannotVote(_("This vote has ended."))
    ballot = SiteBallot.new(
        vote_id=vote.vote_id, user_id=by.user_id, at=utc_now(), ttl=vote.ends_at + BALLOTS_KEPT
    )
    try:
        transact(Create(ballot), add_one(vote.vote_id, OPTIONS[place]))
    except AlreadyExists:
        raise CannotVote(_("You’ve already voted.")) from None
    except HasEnded:
        raise CannotVote(_("This vote has ended.")) from None


def may_vote(viewer: Viewer, vote: SiteVote) -> bool:
    """Whether someone joined before the vote began, so that nobody makes accounts to vote more than once."""
    return ids.time_of(viewer.user_id) < ids.time_of(vote.vote_id)


def add_one(vote_id: str, name: str) -> Upsert:
    """Returns the action that adds one in a counter that is drawn by chance. 2 write units."""
    shard = random.randrange(keys.SITE_VOTE_SHARDS)
    attribute = SiteVoteCount.get_attributes()[name]
    added = [SiteVoteCount.vote_id.set(vote_id), attribute.add(1)]
    is_open = SiteVoteCount.is_closed.does_not_exist()
    return Upsert(SiteVoteCount, keys.site_vote_count(vote_id, shard), added, is_open, HasEnded)

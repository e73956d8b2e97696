"""The clock adds the counters of an open site vote up every minute, into one item of which each process keeps a copy.
At its end it closes every counter before it adds up for the last time, so that no vote comes too late and none is left
out."""

from datetime import timedelta

from site_votes.models import SiteVoteCount
from site_votes.reads import add_up
from site_votes.writes import ADD_UP
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.models import Due
from socialsite.due.work import done, due_work, plan
from socialsite.site_settings.models import SiteVote
from socialsite.site_settings.site_rules import forget_site_rules, open_vote
from socialsite.site_settings.site_setup import OpenVote
from socialsite.table import (
    IS_ABSENT,
    Change,
    Create,
    Delete,
    TableError,
    Upsert,
    access_pattern,
    fetch,
    keys,
    transact,
)
from socialsite.table.actions import IS_PRESENT

EVERY = timedelta(minutes=1)


@due_work(ADD_UP)
@access_pattern
def add_up_site_vote(due: Due) -> None:
    """Adds up, and plans the next time; at the end closes the vote. Safe to run twice: the item of the work ends in the
    transaction.

    One consistent GetItem, 1 read unit, and 64 of the counters; 6 write units, and at the end 128 for the counters.
    """
    key = keys.site_vote(due.subject)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        return
    vote = open_vote(raw)
    if vote.is_open:
        sums, _ = add_up(vote.vote_id, len(vote.answers))
        counted = [SiteVote.sums.set(sums), SiteVote.counted_at.set(utc_now_iso())]
        again = plan(ADD_UP, moment=min(utc_now() + EVERY, vote.ends), subject=vote.vote_id)
        transact(Change(SiteVote, key, counted), done(due), again)
    else:
        _close(vote, due)
    forget_site_rules()


def _close(vote: OpenVote, due: Due) -> None:
    for shard in range(keys.SITE_VOTE_SHARDS):
        closed = [SiteVoteCount.vote_id.set(vote.vote_id), SiteVoteCount.is_closed.set(True)]
        counter = keys.site_vote_count(vote.vote_id, shard)
        transact(Upsert(SiteVoteCount, counter, closed, IS_PRESENT | IS_ABSENT, TableError))
    sums, _ = add_up(vote.vote_id, len(vote.answers))
    ended = SiteVote.new(
        vote_id=vote.vote_id, question=vote.question, answers=vote.answers, ends=vote.ends
    )
    ended.pk, ended.sk = keys.ended_site_vote(vote.vote_id)
    ended.sums, ended.counted_at = sums, utc_now_iso()
    transact(Delete(keys.site_vote(vote.vote_id)), Create(ended), done(due))

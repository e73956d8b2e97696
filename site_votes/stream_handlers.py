"""The clock adds the counters of an open site vote up every minute, into the one item that pages read. At its end it
closes every counter before it adds up for the last time, so that no vote comes too late and none is left out."""

from datetime import timedelta

from site_votes.models import SiteVote, SiteVoteCount
from site_votes.reads import add_up
from site_votes.writes import ADD_UP
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.models import Due
from socialsite.due.work import done, due_work, plan
from socialsite.table import (
    IS_ABSENT,
    Change,
    TableError,
    Upsert,
    access_pattern,
    as_model,
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
    if raw is None or (vote := as_model(SiteVote, raw)).is_closed:
        return
    is_open = vote.is_open
    if not is_open:
        _close_counters(vote.vote_id)
    sums, _ = add_up(vote.vote_id, len(vote.answers))
    counted = [SiteVote.sums.set(sums), SiteVote.counted_at.set(utc_now_iso())]
    if is_open:
        again = plan(ADD_UP, moment=min(utc_now() + EVERY, vote.ends_at), subject=vote.vote_id)
        transact(Change(SiteVote, key, counted), done(due), again)
    else:
        transact(Change(SiteVote, key, [*counted, SiteVote.is_closed.set(True)]), done(due))


def _close_counters(vote_id: str) -> None:
    for shard in range(keys.SITE_VOTE_SHARDS):
        closed = [SiteVoteCount.vote_id.set(vote_id), SiteVoteCount.is_closed.set(True)]
        counter = keys.site_vote_count(vote_id, shard)
        transact(Upsert(SiteVoteCount, counter, closed, IS_PRESENT | IS_ABSENT, TableError))

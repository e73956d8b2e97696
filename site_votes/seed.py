"""Two votes of the demo: one is open, one has ended. Most people have voted in both."""

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from site_votes.models import OPTIONS, SiteBallot, SiteVote, SiteVoteCount
from site_votes.writes import ADD_UP, BALLOTS_KEPT
from socialsite.due.work import plan
from socialsite.site_settings.models import SiteVoteNotice
from socialsite.table import Item, ids, keys

NOT_YET = (
    3  # of the first people, as whom visitors of the demo sign in, have not voted in the open one
)


def demo_votes(seed: int, user_ids: Sequence[str], now: datetime) -> Iterator[Item]:
    """Yields the items of both votes. The same seed gives the same votes."""
    rng = random.Random(f"{seed} votes")
    opened, ended = now - timedelta(days=1), now - timedelta(days=9)
    yield from _vote_items(
        rng,
        SiteVote.new(
            vote_id=ids.id_at(opened, rng.randbytes(10)),
            question=_("What should this site get next?"),
            answers=(_("Events"), _("Longer posts"), _("A market place")),
            ends=now + timedelta(days=6),
        ),
        user_ids[NOT_YET:],
        now,
    )
    yield from _vote_items(
        rng,
        SiteVote.new(
            vote_id=ids.id_at(ended, rng.randbytes(10)),
            question=_("Which day suits you for our first picnic?"),
            answers=(_("Saturday"), _("Sunday")),
            ends=ended + timedelta(days=7),
        ),
        user_ids,
        now,
    )


def _vote_items(
    rng: random.Random, vote: SiteVote, user_ids: Sequence[str], now: datetime
) -> Iterator[Item]:
    ends = vote.ends_at
    counts: dict[int, SiteVoteCount] = {}
    for user_id in user_ids:
        if rng.random() < 0.3:
            continue
        place = rng.randrange(len(vote.answers))
        shard = rng.randrange(keys.SITE_VOTE_SHARDS)
        count = counts.setdefault(shard, _counter(vote.vote_id, shard))
        setattr(count, OPTIONS[place], int(getattr(count, OPTIONS[place])) + 1)
        vote.sums[place] += 1
        at = ids.time_of(vote.vote_id) + timedelta(minutes=rng.randrange(1, 600))
        ttl = ends + BALLOTS_KEPT
        yield SiteBallot.new(vote_id=vote.vote_id, user_id=user_id, at=at, ttl=ttl)
    vote.counted_at = min(now, ends).isoformat(timespec="seconds")
    if ends > now:
        yield plan(ADD_UP, moment=now, subject=vote.vote_id).item
        yield SiteVoteNotice.new(vote_id=vote.vote_id, question=vote.question, ends=ends)
    else:
        vote.is_closed = True
        for shard in range(keys.SITE_VOTE_SHARDS):
            counts.setdefault(shard, _counter(vote.vote_id, shard)).is_closed = True
    yield vote
    yield from counts.values()


def _counter(vote_id: str, shard: int) -> SiteVoteCount:
    return SiteVoteCount(*keys.site_vote_count(vote_id, shard), vote_id=vote_id)

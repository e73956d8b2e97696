"""The site votes as pages show them, and the sum of the shards."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from accounts.people.viewer import Viewer
from feed.cards.post_card import Choice
from site_votes.models import OPTIONS, SiteBallot, SiteVoteCount
from site_votes.writes import may_vote
from socialsite.site_settings.site_rules import open_vote, read_site_rules, site_rules
from socialsite.site_settings.site_setup import OpenVote
from socialsite.table import NotFound, access_pattern, fetch, keys, query, row
from socialsite.texts.unseen import isolated

ENDED_SHOWN = 20


@dataclass(frozen=True, slots=True)
class VoteCard:
    """A site vote for a viewer. The sums are those of the last time that the clock added up; they show once the viewer
    has voted or nobody can any more."""

    vote: OpenVote
    has_voted: bool
    may_vote: bool
    is_settled: bool = False

    @property
    def address(self) -> str:
        return f"/votes/{self.vote.vote_id}"

    @property
    def takes_vote(self) -> bool:
        return self.vote.is_open and self.may_vote and not self.has_voted

    @property
    def shows_results(self) -> bool:
        return self.has_voted or not self.vote.is_open or not self.may_vote

    @property
    def voters(self) -> int:
        return sum(self.vote.sums)

    @property
    def counted_at(self) -> datetime | None:
        return datetime.fromisoformat(self.vote.counted_at) if self.vote.counted_at else None

    @property
    def choices(self) -> list[Choice]:
        most = max(self.vote.sums)
        return [
            Choice(
                place,
                isolated(text),
                votes=votes,
                percent=round(100 * votes / self.voters) if self.voters else 0,
                is_ahead=bool(votes) and votes == most,
            )
            for place, (text, votes) in enumerate(
                zip(self.vote.answers, self.vote.sums, strict=True)
            )
        ]


@access_pattern
def list_site_votes(viewer: Viewer) -> list[VoteCard]:
    """Returns the open votes, from this process's copy of the set-up, then the last 20 that ended, newest first.

    One Query `sitevotes`, and one of the viewer's ballots, 0.5 read units each.
    """
    ended = query(keys.ended_site_votes(), limit=ENDED_SHOWN, forward=False)
    votes = [(one, False) for one in reversed(site_rules().votes)]
    votes += [(open_vote(raw), True) for raw in islice(ended, ENDED_SHOWN)]
    voted = _voted_in(viewer)
    return [_card(vote, viewer, voted, is_settled=settled) for vote, settled in votes]


@access_pattern
def get_site_vote(vote_id: str, viewer: Viewer) -> VoteCard:
    """Returns a vote, open or ended. Raises `NotFound`.

    One BatchGetItem of the ended vote and the viewer's ballot, 1 read unit. A process that does not know of an open
    one yet reads the site's set-up anew.
    """
    ended, ballot = keys.ended_site_vote(vote_id), keys.ballot(viewer.user_id, vote_id)
    found = fetch([ended, ballot] if viewer.is_authenticated else [ended])
    voted = {vote_id} if ballot in found else set()
    if ended in found:
        return _card(open_vote(found[ended]), viewer, voted, is_settled=True)
    return _card(get_open_vote(vote_id), viewer, voted)


def get_open_vote(vote_id: str) -> OpenVote:
    """Returns a vote that is open, or not yet closed. Raises `NotFound`."""
    for votes in (site_rules().votes, read_site_rules().votes):
        for vote in votes:
            if vote.vote_id == vote_id:
                return vote
    raise NotFound("no such site vote")


@access_pattern
def add_up(vote_id: str, answers: int) -> tuple[list[int], int]:
    """Returns the sum for each answer, and how many votes are of people who are gone. One consistent BatchGetItem of
    the 64 counters, 64 read units."""
    shards = range(keys.SITE_VOTE_SHARDS)
    found = fetch([keys.site_vote_count(vote_id, one) for one in shards], consistent=True)
    total = Counter[str]()
    for raw in found.values():
        total.update(counted(row(SiteVoteCount, raw)))
    return [total[name] for name in OPTIONS[:answers]], total["voters_gone"]


def counted(count: SiteVoteCount) -> dict[str, int]:
    """Returns what a counter says, by the name of its attribute."""
    return {name: int(getattr(count, name) or 0) for name in (*OPTIONS, "voters_gone")}


def _card(vote: OpenVote, viewer: Viewer, voted: set[str], *, is_settled: bool = False) -> VoteCard:
    may = viewer.is_authenticated and may_vote(viewer, vote)
    return VoteCard(vote, vote.vote_id in voted, may, is_settled)


def _voted_in(viewer: Viewer) -> set[str]:
    if not viewer.is_authenticated:
        return set()
    return {row(SiteBallot, raw).vote_id for raw in query(keys.ballots(viewer.user_id))}

"""The site votes as pages show them, and the sum of the shards."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from accounts.people.viewer import Viewer
from feed.cards.post_card import Choice
from site_votes.models import OPTIONS, SiteBallot, SiteVote, SiteVoteCount
from site_votes.writes import may_vote
from socialsite.table import NotFound, access_pattern, as_model, fetch, keys, query, row
from socialsite.texts import isolated

SHOWN = 20


@dataclass(frozen=True, slots=True)
class VoteCard:
    """A site vote for a viewer. The sums are those of the last time that the clock added up; they show once the viewer
    has voted or nobody can any more."""

    vote: SiteVote
    has_voted: bool
    may_vote: bool

    @property
    def address(self) -> str:
        return f"/votes/{self.vote.vote_id}"

    @property
    def is_settled(self) -> bool:
        return bool(self.vote.is_closed)

    @property
    def takes_vote(self) -> bool:
        return self.vote.is_open and self.may_vote and not self.has_voted

    @property
    def shows_results(self) -> bool:
        return self.has_voted or not self.vote.is_open or not self.may_vote

    @property
    def sums(self) -> list[int]:
        return [int(one) for one in self.vote.sums]

    @property
    def counted_at(self) -> datetime | None:
        return datetime.fromisoformat(self.vote.counted_at) if self.vote.counted_at else None

    @property
    def choices(self) -> list[Choice]:
        voters, most = sum(self.sums), max(self.sums)
        return [
            Choice(
                place,
                isolated(text),
                votes=votes,
                percent=round(100 * votes / voters) if voters else 0,
                is_ahead=bool(votes) and votes == most,
            )
            for place, (text, votes) in enumerate(zip(self.vote.answers, self.sums, strict=True))
        ]


@access_pattern
def list_site_votes(viewer: Viewer) -> list[VoteCard]:
    """Returns the last 20 votes, newest first.

    One Query `sitevotes`, and one of the viewer's ballots, 0.5 read units each.
    """
    found = query(keys.site_votes(), limit=SHOWN, forward=False)
    votes = [as_model(SiteVote, raw) for raw in islice(found, SHOWN)]
    voted = _voted_in(viewer)
    return [_card(vote, viewer, voted) for vote in votes]


@access_pattern
def get_site_vote(vote_id: str, viewer: Viewer) -> VoteCard:
    """Returns a vote. Raises `NotFound`. One BatchGetItem of the vote and the viewer's ballot, 1 read unit."""
    key, ballot = keys.site_vote(vote_id), keys.ballot(viewer.user_id, vote_id)
    found = fetch([key, ballot] if viewer.is_authenticated else [key])
    if key not in found:
        raise NotFound("no such site vote")
    return _card(as_model(SiteVote, found[key]), viewer, {vote_id} if ballot in found else set())


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


def _card(vote: SiteVote, viewer: Viewer, voted: set[str]) -> VoteCard:
    may = viewer.is_authenticated and may_vote(viewer, vote)
    return VoteCard(vote, vote.vote_id in voted, may)


def _voted_in(viewer: Viewer) -> set[str]:
    if not viewer.is_authenticated:
        return set()
    return {row(SiteBallot, raw).vote_id for raw in query(keys.ballots(viewer.user_id))}

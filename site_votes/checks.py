"""What must hold for site votes: what was counted is what was voted."""

from collections import Counter
from dataclasses import dataclass, field

from site_votes.models import OPTIONS, SiteBallot, SiteVote, SiteVoteCount
from site_votes.reads import counted
from site_votes.writes import ADD_UP
from socialsite.due.models import Due
from socialsite.invariants import must_hold
from socialsite.table import Item


@must_hold
@dataclass
class SiteVoteInvariants:
    """Give it every item with `add`, then ask for `results`."""

    votes: dict[str, SiteVote] = field(default_factory=dict)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    ballots: Counter[str] = field(default_factory=Counter)
    planned: set[str] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case SiteVote():
                self.votes[item.vote_id] = item
            case SiteVoteCount():
                self.counts.setdefault(item.vote_id, Counter()).update(counted(item))
            case SiteBallot():
                self.ballots[item.vote_id] += 1
            case Due() if item.kind == ADD_UP:
                self.planned.add(item.subject)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. Ballots of a vote that has ended expire, and are not compared."""
        return {
            "site votes are as many as their ballots": [
                f"{vote_id}: {sum(self._of(vote_id))} votes, {self._ballots(vote_id)} ballots"
                for vote_id in self.votes
                if self._is_open(vote_id) and sum(self._of(vote_id)) != self._ballots(vote_id)
            ],
            "the sums of an ended site vote are those of its counters": [
                f"{vote_id}: {list(map(int, vote.sums))}, {self._of(vote_id)}"
                for vote_id, vote in self.votes.items()
                if not self._is_open(vote_id) and list(map(int, vote.sums)) != self._of(vote_id)
            ],
            "an open site vote is added up by the clock": [
                vote_id
                for vote_id in self.votes
                if self._is_open(vote_id) and vote_id not in self.planned
            ],
        }

    def _is_open(self, vote_id: str) -> bool:
        vote = self.votes.get(vote_id)
        return vote is not None and not vote.is_closed

    def _of(self, vote_id: str) -> list[int]:
        """Returns the sum of the counters for each answer."""
        answers = len(self.votes[vote_id].answers)
        return [self.counts.get(vote_id, Counter())[name] for name in OPTIONS[:answers]]

    def _ballots(self, vote_id: str) -> int:
        return self.ballots[vote_id] + self.counts.get(vote_id, Counter())["voters_gone"]

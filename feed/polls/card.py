"""A poll as a viewer may see it. Results that they may not see yet are not in it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from feed.models import LikeCount, Poll
from feed.polls.counting import COUNTERS
from feed.polls.words import ChoiceWords, PollWords
from socialsite.clock import utc_now
from socialsite.texts.unseen import isolated


@dataclass(frozen=True, slots=True)
class Choice(ChoiceWords):
    """`votes` and `percent` are 0 in a poll whose results are not shown. `percent` is of the people who voted."""

    place: int
    text: str
    votes: int = 0
    percent: int = 0
    is_mine: bool = False
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class PollCard(PollWords):
    """`voters` is 0 while the results are not shown."""

    choices: tuple[Choice, ...]
    ends: datetime
    is_closed: bool
    several: bool
    may_change: bool
    early: bool
    is_own: bool
    chosen: str  # by the viewer: the places, each a digit
    voters: int = 0

    @classmethod
    def of(cls, poll: Poll, count: LikeCount, *, chosen: str, is_own: bool) -> Self:
        """Builds the card from a post's poll and counts, and the viewer's choices."""
        card = cls(
            choices=tuple(Choice(place, isolated(text)) for place, text in enumerate(poll.texts)),
            ends=poll.ends_at,
            is_closed=poll.ends_at <= utc_now(),
            several=bool(poll.several),
            may_change=bool(poll.change),
            early=bool(poll.early),
            is_own=is_own,
            chosen=chosen,
        )
        votes = [int(getattr(count, name) or 0) for name in COUNTERS]
        return card._with_results(int(count.voters or 0), votes)

    @property
    def voted(self) -> bool:
        return bool(self.chosen)

    @property
    def shows_results(self) -> bool:
        return self.is_closed or self.is_own or self.voted or self.early

    @property
    def takes_vote(self) -> bool:
        """Whether someone who is signed in may vote, or choose again."""
        return not (self.is_closed or self.is_own or (self.voted and not self.may_change))

    @property
    def winners(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.is_ahead)

    def after(self, chosen: str) -> Self:
        """Returns the card after the viewer voted so, before the stream worker has counted it."""
        before, now = set(self.chosen), set(chosen)
        votes = [
            choice.votes + (str(choice.place) in now) - (str(choice.place) in before)
            for choice in self.choices
        ]
        return replace(self, chosen=chosen)._with_results(self.voters + (not before), votes)

    def _with_results(self, voters: int, votes: Iterable[int]) -> Self:
        """Returns the card with what the viewer may see of the results. Their own vote counts from the start."""
        if not self.shows_results:
            return self
        voters = max(voters, int(self.voted))
        mine = [str(choice.place) in self.chosen for choice in self.choices]
        counted = [max(number, int(is_mine)) for number, is_mine in zip(votes, mine, strict=False)]
        most = max(counted)
        choices = tuple(
            replace(
                choice,
                votes=number,
                percent=round(100 * min(1, number / voters)) if voters else 0,
                is_mine=is_mine,
                is_ahead=bool(number) and number == most,
            )
            for choice, number, is_mine in zip(self.choices, counted, mine, strict=True)
        )
        return replace(self, choices=choices, voters=voters)

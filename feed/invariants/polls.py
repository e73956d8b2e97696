"""What must hold for polls once the stream worker has caught up: counts, traces, choices, and the planned end of each
open poll."""

from collections import Counter
from dataclasses import dataclass, field

from feed.models import LikeCount, LikeTrace, Poll, Post, Vote
from feed.polls.closing import CLOSE_POLL
from feed.polls.counting import NAMES, counted
from socialsite.clock import utc_now
from socialsite.models import Due
from socialsite.table import keys
from socialsite.table.item import Item
from socialsite.table.keys import Key

Of = tuple[str, str, str]  # the ids of post and person, and the choices


@dataclass
class PollInvariants:
    """Give it every item with `add`, then ask for `results`."""

    posts: set[str] = field(default_factory=set)
    polls: dict[str, Poll] = field(default_factory=dict)
    votes: dict[Key, Vote] = field(default_factory=dict)
    traces: set[Of] = field(default_factory=set)
    counts: dict[str, LikeCount] = field(default_factory=dict)
    planned: Counter[str] = field(default_factory=Counter)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.posts.add(item.post_id)
                if item.poll:
                    self.polls[item.post_id] = item.poll
            case Vote():
                self.votes[item.key] = item
            case LikeTrace() if item.choices:
                self.traces.add((item.post_id, item.user_id, item.choices))
            case LikeCount():
                self.counts[item.post_id] = item
            case Due() if item.kind == CLOSE_POLL:
                self.planned[item.subject] += 1

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        there = {(one.post_id, one.user_id, one.choices) for one in self.votes.values()}
        return {
            "vote counts equal votes": list(self._miscounted()),
            "every vote has its trace": [" ".join(one) for one in sorted(there ^ self.traces)],
            "every vote lies where its poll's votes are read, and nobody votes twice": [
                f"{key.pk} {key.sk}"
                for key, one in self.votes.items()
                if key != keys.vote(one.post_id, one.user_id)
            ],
            "every vote is one that its poll takes": [
                f"{one.post_id} {one.user_id}: {one.choices}"
                for one in self.votes.values()
                if (poll := self.polls.get(one.post_id)) and not _takes(poll, one)
            ],
            "no vote is of a post that is gone": sorted(
                {one.post_id for one in self.votes.values()} - self.polls.keys()
            ),
            "every open poll has its end planned, once": sorted(
                post_id
                for post_id, poll in self.polls.items()
                if poll.ends_at > utc_now() and self.planned[post_id] != 1
            ),
        }

    def _miscounted(self) -> list[str]:
        totals: dict[str, Counter[str]] = {}
        for one in self.votes.values():
            totals.setdefault(one.post_id, Counter()).update(counted(one.choices))
        return [
            f"{post_id} {name}: {stored}, {right} votes"
            for post_id, count in self.counts.items()
            for name in NAMES
            if (stored := int(getattr(count, name) or 0))
            != (right := totals.get(post_id, Counter())[name])
        ]


def _takes(poll: Poll, vote: Vote) -> bool:
    places = [int(place) for place in vote.choices]
    return (
        bool(places)
        and places == sorted(set(places))
        and places[-1] < len(poll.options)
        and (len(places) == 1 or bool(poll.several))
        and vote.at < poll.ends
    )

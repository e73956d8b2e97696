"""What must hold for polls once the stream worker has caught up: counts, traces, choices, and the planned end of each
open poll. Corrects counts while people go on voting, and plans ends that nothing plans any more, such as after the
clock stood ahead and ended them early."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from feed.polls.models import NAMES, VOTERS, Vote, count_votes, counted, difference
from feed.polls.writes import CLOSE_POLL, clear_votes, close_later
from feed.posts.models import COUNTERS, LikeCount, LikeTrace, Poll, Post
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.invariants import must_hold
from socialsite.streams.late_writes import CLOCKS_DIFFER
from socialsite.streams.recounting import Unapplied, mend_count
from socialsite.table import Item, Key, RawItem, as_model, fetch, keys, row, write_batch

Of = tuple[str, str, str]  # the ids of post and person, and the choices


@must_hold
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
            "every open poll has its end planned, once": sorted(self._unplanned()),
        }

    def _unplanned(self) -> Iterator[str]:
        for post_id, poll in self.polls.items():
            if poll.ends_at <= utc_now() or self.planned[post_id] == 1:
                continue
            # A process whose clock is ahead ends a poll too early, by as much as it is ahead.
            ends_soon = poll.ends_at <= utc_now() + CLOCKS_DIFFER
            if self.planned[post_id] or not ends_soon:
                yield post_id

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


def plan_end_again(raw: RawItem) -> None:
    """Plans the end of an open poll under its fixed key, whether or not it is planned. 1 write unit for an open poll,
    nothing for other posts. If its post goes meanwhile, the clock finds nothing to end."""
    if row(Post, raw).poll:
        post = as_model(Post, raw)
        if post.poll.ends_at > utc_now():
            write_batch(puts=[planned.item for planned in close_later(post)])


def mend_vote_counts(raw: RawItem) -> Iterator[str]:
    """Sets the counts of a poll to the votes there are, without those that the worker has yet to count. Yields a line
    for each that was wrong.

    For each choice, and for the people who voted, one GetItem and a Query of the 16 shards, consistent; the stream
    behind the checkpoints only if they differ. Nothing for other posts.
    """
    post = row(Post, raw)
    if not post.poll:
        return
    for name in (VOTERS, *COUNTERS[: len(post.poll.options)]):
        yield from mend_count(
            LikeCount,
            keys.like_count(post.post_id),
            name,
            count=partial(_count, post.post_id, name),
            waiting=partial(_waiting, post.post_id, name),
        )


def clear_orphaned_votes(votes: Sequence[RawItem]) -> None:
    """Deletes the votes whose post is gone, with their traces. A count goes with its post."""
    those = [row(Vote, raw) for raw in votes]
    counts = fetch({keys.like_count(one.post_id): None for one in those}, consistent=True)
    clear_votes(one for one in those if keys.like_count(one.post_id) not in counts)


def _count(post_id: str, name: str) -> int:
    return count_votes(post_id)[name]


def _waiting(post_id: str, name: str, unapplied: Unapplied) -> int:
    return sum(
        difference(change.old, change.new).get(name, 0)
        for change in unapplied.changes(Vote)
        if isinstance(change.item, Vote) and change.item.post_id == post_id
    )

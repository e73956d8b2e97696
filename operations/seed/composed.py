"""Where the demo's posts with photos or a poll stand, and the votes in the polls."""

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from operations.demo.composed import DemoPoll, DemoPost, composed
from operations.seed.written import Written

FROM_NEWEST, EVERY = 2, 3  # posts
VOTING_SHARE = 0.7


@dataclass(frozen=True)
class DemoVote:
    """The number of a person, and the places of their choices as a `Vote` stores them."""

    person: int
    choices: str


def place_composed(hot: int, count: int, handles: Collection[str]) -> dict[int, DemoPost]:
    """Returns these posts by their number: among the newest of `count`, all after the one that everyone likes."""
    posts = [post for post in composed() if post.by in handles]
    places = [count - FROM_NEWEST - EVERY * place for place in range(len(posts))]
    if not places or places[-1] <= hot:
        return {}
    return dict(zip(places, posts, strict=True))


def votes_in(
    posts: Sequence[Written], likes: Iterable[tuple[int, int]], people: int
) -> dict[int, list[DemoVote]]:
    """Returns the votes in each poll, by the number of its post. People vote who do not like it, as a like has the same
    trace. The first person, who shows how voting goes, has not voted yet."""
    liked = set(likes)
    return {
        number: _choose(
            post.composed.poll,
            number,
            [one for one in range(1, people) if one != post.author and (one, number) not in liked],
        )
        for number, post in enumerate(posts)
        if post.composed and post.composed.poll
    }


def _choose(poll: DemoPoll, number: int, voters: Iterable[int]) -> list[DemoVote]:
    rng = random.Random(number)
    places = range(len(poll.options))
    weights = [1 / (place + 1) for place in rng.sample(places, len(places))]
    votes = []
    for person in voters:
        if rng.random() < VOTING_SHARE:
            chosen = set(rng.choices(places, weights, k=2 if poll.several else 1))
            votes.append(DemoVote(person, "".join(map(str, sorted(chosen)))))
    return votes

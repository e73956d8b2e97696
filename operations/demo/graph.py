"""The demo's follows and likes: few people and posts get most of the attention."""

import math
import random
from collections.abc import Iterator
from itertools import accumulate

# As many as `people.first_people()`: the written people are the well-known ones.
KNOWN_PEOPLE = 48
ZIPF_EXPONENT = 0.8
NEIGHBOUR_SHARE = 0.35
NEIGHBOUR_REACH = 8
OUT_DEGREE_SPREAD = 0.9
FIRST_FOLLOWS = 20
LIKE_EXPONENT = 1.25
LIKER_SKEW = 1.6
HOT_SHARE = 0.97


def rank_people(rng: random.Random, size: int) -> list[int]:
    """The people, most popular first: person 0, then the known ones, then the others."""
    known = list(range(1, min(size, KNOWN_PEOPLE)))
    others = list(range(KNOWN_PEOPLE, size))
    rng.shuffle(known)
    rng.shuffle(others)
    return [0, *known, *others]


def follow_graph(rng: random.Random, size: int, mean: float) -> Iterator[tuple[int, int]]:
    """Yield (follower, followed) pairs, ordered by follower, each pair once, nobody themselves.

    Popularity follows Zipf's law. Each person follows about `mean` others; a part of them are near
    in the numbering, so that people also follow back and have friends in common.
    """
    if size < 2:
        return
    ranked = rank_people(rng, size)
    weights = list(accumulate((rank + 1) ** -ZIPF_EXPONENT for rank in range(size)))
    for follower in range(size):
        if follower == 0:
            followed = first_follows(rng, size)
        else:
            wanted = out_degree(rng, mean, size - 1)
            followed = choose_followed(rng, follower, wanted, ranked, weights)
        for other in followed:
            yield follower, other


def out_degree(rng: random.Random, mean: float, most: int) -> int:
    """How many people someone follows: often a few, sometimes very many."""
    middle = math.log(max(mean, 0.1)) - OUT_DEGREE_SPREAD**2 / 2
    return min(most, round(rng.lognormvariate(middle, OUT_DEGREE_SPREAD)))


def first_follows(rng: random.Random, size: int) -> list[int]:
    """Returns the people that person 0 follows: mostly known people, and a few others."""
    known = range(1, min(size, KNOWN_PEOPLE))
    followed = dict.fromkeys(range(1, min(size, 4)))
    followed.update(dict.fromkeys(rng.sample(known, min(len(known), FIRST_FOLLOWS - 6))))
    crowd = range(min(size, KNOWN_PEOPLE), size)
    followed.update(dict.fromkeys(rng.sample(crowd, min(len(crowd), 4))))
    return list(followed)


def choose_followed(
    rng: random.Random, follower: int, wanted: int, ranked: list[int], weights: list[float]
) -> list[int]:
    """Choose `wanted` different people, the popular ones more often."""
    size = len(ranked)
    if wanted * 3 > size:
        return choose_among_few(rng, follower, wanted, ranked)
    # A dict is a set that keeps its order, and so the same seed gives the same graph.
    followed: dict[int, None] = {}
    for _ in range(round(wanted * NEIGHBOUR_SHARE)):
        near = (follower + rng.randint(-NEIGHBOUR_REACH, NEIGHBOUR_REACH)) % size
        if near != follower:
            followed[near] = None
    while len(followed) < wanted:
        missing = wanted - len(followed)
        for other in rng.choices(ranked, cum_weights=weights, k=missing):
            if other != follower:
                followed[other] = None
    return list(followed)


def choose_among_few(
    rng: random.Random, follower: int, wanted: int, ranked: list[int]
) -> list[int]:
    """Choose a large part of everyone, where drawing until all differ would take too long."""
    keys = {
        other: -math.log(1 - rng.random()) * (rank + 1) ** ZIPF_EXPONENT
        for rank, other in enumerate(ranked)
        if other != follower
    }
    return sorted(keys, key=keys.__getitem__)[:wanted]


def like_graph(
    rng: random.Random, posts: int, people: int, hot: int | None = 0
) -> Iterator[tuple[int, int]]:
    """Yield (person, post) pairs, ordered by post, each pair once.

    Most posts get a few likes and few get many. Nearly everyone likes the post `hot`. People with
    low numbers like more. Authors are not known here: skip the pairs of authors with their own
    posts if they shall not like them.
    """
    for post in range(posts):
        if post == hot:
            yield from ((person, post) for person in range(people) if rng.random() < HOT_SHARE)
        else:
            yield from ((person, post) for person in choose_likers(rng, people))


def choose_likers(rng: random.Random, people: int) -> list[int]:
    """Choose the different people who like an ordinary post."""
    most = max(1, people // 4)
    wanted = min(most, people, int(2 * rng.paretovariate(LIKE_EXPONENT)) - 2)
    likers: dict[int, None] = {}
    while len(likers) < wanted:
        likers[int(people * rng.random() ** LIKER_SKEW)] = None
    return list(likers)

"""The people one and two steps away from someone: their friends and follows, and the friends and follows of these, in
two steps of key look-ups. `suggested.py` keeps and shows whom it recommends, `levels.py` answers another system."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, repeat
from typing import TypeVar

from accounts.models import UserInfo
from accounts.people.restrictions import may_be_offered
from relations.models import Following, Relation, RelationType
from relations.relation import is_in_force
from socialsite.table import Key, RawItem, access_pattern, fetch, keys, query, row
from socialsite.texts import fold

S = TypeVar("S")
T = TypeVar("T")

FOLLOWED_READ = 1_000  # follows to sample from
FRIENDS_READ = 200
ASKED = 25  # near people whose follows and friends are looked up
FOLLOWED_EACH = 100  # the newest accounts among them
FRIENDS_EACH = 50
LOOKED_AT = 49  # of the people found; 4 keys each and the person's own info fit two BatchGetItems
MOST_KEPT = 30
THREADS = 8

# The points that a recommendation gets.
SHARED_PERSON = 2
SHARED_FRIEND = 1  # more for each shared person who is a friend of both
SAME_CIRCLE = 1  # for each shared person in the circle with most of them
SAME_LOCATION = 2


class Reason(StrEnum):
    """Why someone is recommended. A friendship is only revealed to friends of its two people."""

    FRIEND = "friend"  # a friend of a friend
    FOLLOWED = "followed"  # followed by someone near
    KNOWN = "known"  # a friend of people the person follows


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Someone two steps away. `via` is the person that the reason names, and `others` how many more there are."""

    user_id: str
    reason: Reason
    via: str
    others: int
    shared: int
    score: int


@dataclass(frozen=True, slots=True)
class Near:
    """Someone one step away, with the circles they are in if they are a friend."""

    user_id: str
    is_friend: bool
    is_followed: bool
    circles: tuple[str, ...] = ()


@dataclass(slots=True)
class Tie:
    """The tie between someone near and someone two steps away."""

    near: Near
    follows: bool = False
    is_friend: bool = False


@dataclass(frozen=True, slots=True)
class TwoLevels:
    """The people one step away, friends first, the at most 25 of them who were asked, and the best 30 of those two
    steps away."""

    near: list[Near]
    asked: list[Near]
    recommended: list[Recommendation]


@access_pattern
def recommend_people(user_id: str) -> list[Recommendation]:
    """Returns at most 30 people two steps from someone, best first. Leaves out people they follow, are friends with or
    dismissed, and people who are gone, opted out or are restricted by moderators.

    Two Queries for the person, of `u#<id>#following` and of `u#<id>#relation` (friends), then the same two for each of
    25 people found: friends first, the rest sampled evenly. Then two BatchGetItems of the best 49. That is at most 52
    Queries, 8 in flight at once, and 2 BatchGetItems, however many people someone follows: 350 read units where notes
    on friends are short. Each point of `score` is one of the constants above.
    """
    near = people_near(user_id)
    return _recommended(user_id, near, sample(near))


@access_pattern
def look_two_levels(user_id: str) -> TwoLevels:
    """Returns both levels. Costs what `recommend_people` does, which reads the first level in any case."""
    near = people_near(user_id)
    asked = sample(near)
    return TwoLevels(near, asked, _recommended(user_id, near, asked))


def _recommended(user_id: str, near: list[Near], asked: list[Near]) -> list[Recommendation]:
    ties = _ties(asked)
    for known in (user_id, *(one.user_id for one in near)):
        ties.pop(known, None)
    best = sorted(ties, key=lambda other: (-_score(ties[other]), other))[:LOOKED_AT]
    found = fetch([keys.user_info(user_id), *(key for one in best for key in _keys(user_id, one))])
    home = _location(found.get(keys.user_info(user_id)))
    recommended = [
        _recommendation(other, ties[other], is_near=bool(home) and home == _location(info))
        for other in best
        if (info := found.get(keys.user_info(other))) and _is_new(user_id, other, found)
    ]
    recommended.sort(key=lambda one: (-one.score, one.user_id))
    return recommended[:MOST_KEPT]


def people_near(
    user_id: str, *, most_followed: int = FOLLOWED_READ, most_friends: int = FRIENDS_READ
) -> list[Near]:
    """Returns the people one step away, friends first: two Queries."""
    edges = islice(query(keys.followings(user_id), limit=most_followed), most_followed)
    followed = dict.fromkeys(row(Following, raw).followed_id for raw in edges)
    friends = {
        other: tuple(row(Relation, raw).tags)
        for other, raw in _friends(user_id, most_friends, forward=True)
    }
    return [
        *(Near(other, True, other in followed, circles) for other, circles in friends.items()),
        *(Near(other, False, True) for other in followed if other not in friends),
    ]


def _friends(user_id: str, count: int, *, forward: bool) -> list[tuple[str, RawItem]]:
    bounds = keys.relation_bounds(RelationType.FRIEND)
    partition = keys.relations(user_id)
    rows = islice(query(partition, between=bounds, forward=forward, limit=count), count)
    return [(row(Relation, raw).other_id, raw) for raw in rows if is_in_force(raw)]


def sample(near: list[Near], count: int = ASKED) -> list[Near]:
    """Returns so many of these people: friends first, the rest evenly over the list."""
    friends = _evenly([one for one in near if one.is_friend], count)
    others = [one for one in near if not one.is_friend]
    return friends + _evenly(others, count - len(friends))


def _evenly(rows: Sequence[T], count: int) -> list[T]:
    count = min(count, len(rows))
    return [rows[number * len(rows) // count] for number in range(count)]


def _ties(near: list[Near]) -> dict[str, list[Tie]]:
    """Returns everyone two steps away, each with the people in between."""
    ties: dict[str, list[Tie]] = {}
    for one, (followed, friends) in zip(near, _look_around(near), strict=True):
        between: dict[str, Tie] = {}
        for other in followed:
            between.setdefault(other, Tie(one)).follows = True
        for other in friends:
            between.setdefault(other, Tie(one)).is_friend = True
        for other, tie in between.items():
            ties.setdefault(other, []).append(tie)
    return ties


def _look_around(near: list[Near]) -> list[tuple[list[str], list[str]]]:
    return each_at_once(_look_from, near)


def each_at_once(ask: Callable[[S], T], about: Sequence[S]) -> list[T]:
    """Returns the answers in order, 8 in flight at once."""
    # Each thread gets a copy of the context, which holds the request's meter.
    contexts = [copy_context() for _ in about]
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(Context.run, contexts, repeat(ask), about))


def _look_from(near: Near) -> tuple[list[str], list[str]]:
    partition = keys.followings(near.user_id)
    edges = islice(query(partition, forward=False, limit=FOLLOWED_EACH), FOLLOWED_EACH)
    followed = [row(Following, raw).followed_id for raw in edges]
    friends = [other for other, _ in _friends(near.user_id, FRIENDS_EACH, forward=False)]
    return followed, friends


def _score(ties: Iterable[Tie]) -> int:
    circles = Counter(circle for tie in ties for circle in tie.near.circles)
    shared = sum(SHARED_PERSON + SHARED_FRIEND * _is_among_friends(tie) for tie in ties)
    return shared + SAME_CIRCLE * max(circles.values(), default=0)


def _is_among_friends(tie: Tie) -> bool:
    return tie.is_friend and tie.near.is_friend


def _keys(user_id: str, other_id: str) -> tuple[Key, ...]:
    return (
        keys.user_info(other_id),
        keys.following(user_id, other_id),
        keys.relation(user_id, RelationType.FRIEND, other_id),
        keys.dismissal(user_id, other_id),
    )


def _is_new(user_id: str, other_id: str, found: dict[Key, RawItem]) -> bool:
    info, following, friend, dismissal = (found.get(key) for key in _keys(user_id, other_id))
    wants = info is not None and not row(UserInfo, info).not_suggested
    is_new = following is None and dismissal is None and not is_in_force(friend)
    return wants and is_new and info is not None and may_be_offered(info)


def _location(info: RawItem | None) -> str:
    return fold(row(UserInfo, info).location) if info else ""


def _recommendation(other_id: str, ties: list[Tie], *, is_near: bool) -> Recommendation:
    reason, those = _reason(ties)
    score = _score(ties) + SAME_LOCATION * is_near
    via = those[0].near.user_id
    return Recommendation(other_id, reason, via, len(those) - 1, len(ties), score)


def _reason(ties: list[Tie]) -> tuple[Reason, list[Tie]]:
    """Returns the strongest reason that may be revealed."""
    among_friends = [tie for tie in ties if _is_among_friends(tie)]
    if among_friends:
        return Reason.FRIEND, among_friends
    followers = [tie for tie in ties if tie.follows]
    if followers:
        # "Others you follow" must be true of everyone, so a friend the person does not follow is named alone.
        return Reason.FOLLOWED, [tie for tie in followers if tie.near.is_followed] or followers[:1]
    return Reason.KNOWN, ties

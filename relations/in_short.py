"""A person in short: what the card beside a name shows of them, with someone through whom the viewer knows them. Their
own page is `get_profile` (`reads.py`), and people whom the viewer may know are in `suggested.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from relations.models import Follower, Following, RelationType
from relations.reads import Relationship, keys_of_profile, profile_of
from relations.relation import is_in_force
from relations.suggested import reason_text
from relations.two_levels import Reason
from socialsite.table import Key, NotFound, RawItem, access_pattern, fetch, keys, query, row

MOST_EDGES = 200  # of each of the two, oldest accounts first
MOST_SHARED = 5  # of those found, whose names are read


@dataclass(frozen=True, slots=True)
class InShort:
    person: PersonCard
    relationship: Relationship
    known: str  # in words; empty if the viewer follows nobody who follows them


@access_pattern
def get_in_short(user_id: str, *, viewer: Viewer) -> InShort:
    """Returns a person as others see them, and who of the people that the viewer follows also follows them, a friend of
    both first. A friendship is named to a friend of one of the two only, as in suggestions. Raises `Suspended`, and
    `NotFound`, also where one of the two blocks the other.

    For someone signed in two Queries, of `u#<viewer>#following` and of the same stretch of `u#<id>#follower`, at most
    200 edges each: of people with more, those beyond are not looked at. Then one BatchGetItem of what `get_profile`
    reads and 3 keys for each of at most 5 people found. In all at most 28 read units, mostly 7; 1 for a visitor.
    """
    shared = _shared_with(user_id, viewer)
    named = shared[:MOST_SHARED]
    own = [key for other_id in named for key in _keys_of_shared(user_id, other_id, viewer)]
    found = fetch([*keys_of_profile(user_id, viewer), *own])
    profile = profile_of(user_id, found, viewer=viewer)
    if profile.relationship.is_hidden:
        raise NotFound("the two do not see each other")
    known = _known(user_id, named, len(shared), found, viewer)
    return InShort(profile.person, profile.relationship, known)


def _shared_with(user_id: str, viewer: Viewer) -> list[str]:
    """Returns the ids of the people whom the viewer follows and who follow the person. Both lists are in the order of
    ids, so the second is read from the first id of the first to its last."""
    if not viewer.is_authenticated or viewer.user_id == user_id:
        return []
    own = query(keys.followings(viewer.user_id), limit=MOST_EDGES)
    followed = [row(Following, raw).followed_id for raw in islice(own, MOST_EDGES)]
    if not followed:
        return []
    first, last = keys.follower(user_id, followed[0]), keys.follower(user_id, followed[-1])
    theirs = query(first.pk, between=(first.sk, last.sk), limit=MOST_EDGES)
    followers = {row(Follower, raw).follower_id for raw in islice(theirs, MOST_EDGES)}
    return [other_id for other_id in followed if other_id in followers]


def _keys_of_shared(user_id: str, other_id: str, viewer: Viewer) -> tuple[Key, Key, Key]:
    return (
        keys.user_info(other_id),
        keys.relation(viewer.user_id, RelationType.FRIEND, other_id),
        keys.relation(other_id, RelationType.FRIEND, user_id),
    )


def _known(
    user_id: str, named: Sequence[str], count: int, found: dict[Key, RawItem], viewer: Viewer
) -> str:
    friends: list[PersonCard] = []
    others: list[PersonCard] = []
    for other_id in named:
        info, *friendships = map(found.get, _keys_of_shared(user_id, other_id, viewer))
        card = PersonCard.from_raw(info) if info else None
        if card and not card.is_locked_out:
            (friends if all(map(is_in_force, friendships)) else others).append(card)
    if friends:
        return reason_text(Reason.FRIEND, friends[0].name, len(friends) - 1)
    return reason_text(Reason.FOLLOWED, others[0].name, count - 1) if others else ""

"""The items of demo relationships: follows, friendships, circles, favourites and requests."""

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from accounts.encryption.person_keys import OpenKey
from accounts.models import UserSettings
from relations.models import COPYING, Follower, Following, Relation, RelationType
from relations.muted_words.models import MutedWords
from relations.muted_words.words import MutedWord
from relations.relation import profile_copies, seal_note
from socialsite.table import Item, ids, keys

FRIENDS_OF_FIRST = 9
FRIEND_SHARE = 0.5  # of the people who follow each other
CIRCLES = (("family", 3), ("baking", 4), ("neighbours", 3))
NOTES = ("Knows where the good flour is.", "Birthday in May.", "We met at the repair café.")
STARS = 4
REQUESTS = 3
MUTED = MutedWord("football")  # by the second person
BEFORE = timedelta(days=400)  # the first friendship and favourite ended once, and began again

Pair = tuple[int, int]


def choose_friends(seed: int, follows: Sequence[Pair]) -> list[Pair]:
    """Returns pairs of friends among people who follow each other. The first person has a few."""
    rng = random.Random(f"friends {seed}")
    edges = set(follows)
    mutual = sorted((one, other) for one, other in edges if one < other and (other, one) in edges)
    of_first = [pair for pair in mutual if pair[0] == 0][:FRIENDS_OF_FIRST]
    others = [pair for pair in mutual if pair[0] != 0 and rng.random() < FRIEND_SHARE]
    return [*of_first, *others]


def follow_items(follower_id: str, followed_id: str) -> Iterator[Item]:
    """Returns both sides of a follow."""
    yield Following.new(user_id=follower_id, followed_id=followed_id)
    yield Follower.new(user_id=followed_id, follower_id=follower_id)


def relation_items(
    user_ids: Sequence[str],
    friends: Sequence[Pair],
    follows: Sequence[Pair],
    now: datetime,
    *,
    key: OpenKey,
    profiles: Sequence[tuple[str, str, str]],
) -> Iterator[Relation]:
    """Returns both sides of every friendship, and the first person's circles, notes, favourites and waiting
    requests. `key` is the first person's, `profiles` are everyone's location, gender and shown level."""
    moments = (now - timedelta(hours=7 * number + 1) for number in range(10**6))

    def relation(one: int, kind: RelationType, other: int) -> Relation:
        made = _relation(user_ids[one], kind, user_ids[other], next(moments))
        if kind in COPYING:
            for name, value in profile_copies(*profiles[other]).items():
                setattr(made, name, value or None)
        return made

    def again(made: Relation) -> Relation:
        made.first_at = (now - BEFORE).isoformat()
        return made

    circles = _circles([other for one, other in friends if one == 0], _circle_ids(now))
    for one, other in friends:
        own = relation(one, RelationType.FRIEND, other)
        if one == 0:
            own.tags = circles.get(other)
            if other % 2:
                own.note = seal_note(NOTES[other % len(NOTES)], key=key, place=own.key)
        both = own, relation(other, RelationType.FRIEND, one)
        yield from map(again, both) if (one, other) == friends[0] else both
    followed = [other for one, other in follows if one == 0]
    for other in followed[:STARS]:
        star = relation(0, RelationType.FAVOURITE, other)
        yield again(star) if other == followed[0] else star
    known = {0, *followed, *(other for _, other in friends)}
    strangers = [number for number in range(len(user_ids)) if number not in known]
    for other in strangers[:REQUESTS]:
        yield relation(other, RelationType.FRIEND_REQUEST, 0)


def settings_item(user_id: str, number: int, now: datetime) -> UserSettings:
    """Returns a person's settings, who was here yesterday; the first person has named their circles."""
    yesterday = (now - timedelta(days=1)).date().isoformat()
    settings = UserSettings.new(user_id=user_id, seen=yesterday)
    if number == 0:
        settings.circles = {circle_id: name for name, circle_id in _circle_ids(now).items()}
    return settings


def muted_words_item(settings: UserSettings, now: datetime) -> MutedWords:
    """Returns the muted words of a person, and notes their version in the settings."""
    version = settings.muted_version = ids.id_at(now, bytes(10))
    words = {MUTED.word: MUTED.code}
    return MutedWords.new(user_id=settings.user_id, version=version, words=words)


def _circle_ids(now: datetime) -> dict[str, str]:
    """Returns the ids of the first person's circles by name."""
    return {name: ids.id_at(now, bytes([number] * 10)) for number, (name, _) in enumerate(CIRCLES)}


def _circles(friends: Sequence[int], id_of: dict[str, str]) -> dict[int, set[str]]:
    circles: dict[int, set[str]] = {}
    rest = list(friends)
    for name, size in CIRCLES:
        for other in rest[:size]:
            circles.setdefault(other, set()).add(id_of[name])
        rest = rest[size - 1 :]
    return circles


def _relation(user_id: str, kind: RelationType, other_id: str, moment: datetime) -> Relation:
    return Relation(
        *keys.relation(user_id, kind, other_id),
        user_id=user_id,
        other_id=other_id,
        relation_type=kind,
        relation_target=keys.relation_target(kind, other_id),
        created_at=moment.isoformat(),
        update_time=moment.isoformat(),
    )

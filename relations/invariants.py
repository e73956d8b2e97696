"""What must always hold between people: follow edges and their counts, relationships, and the directory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from accounts.invariants import wrong_counts
from accounts.models import PersonKey, UserCount, UserInfo, UserSettings
from relations.directory import directory_entries
from relations.models import (
    COPYING,
    DirectoryEntry,
    Follower,
    Following,
    PostSubscriber,
    Relation,
    RelationType,
)
from relations.relation import profile_copies
from relations.services.block import ENDED_BY_BLOCK
from socialsite.table import keys
from socialsite.table.item import Item
from socialsite.table.keys import Key

Pair = tuple[str, str]

FRIEND, BLOCK = RelationType.FRIEND, RelationType.BLOCK


@dataclass
class FollowInvariants:
    """Give it every item with `add`, then ask for `results`. Pairs are of follower and followed."""

    followers: set[Pair] = field(default_factory=set)
    following: set[Pair] = field(default_factory=set)
    follower_counts: dict[str, int] = field(default_factory=dict)
    following_counts: dict[str, int] = field(default_factory=dict)
    noted: dict[Pair, str] = field(default_factory=dict)  # the days in the edges of followers
    seen: dict[str, str] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Follower():
                self.followers.add((item.follower_id, item.user_id))
                if item.seen:
                    self.noted[item.follower_id, item.user_id] = item.seen
            case UserSettings():
                self.seen[item.user_id] = item.seen
            case Following():
                self.following.add((item.user_id, item.followed_id))
            case UserCount():
                self.follower_counts[item.user_id] = int(item.followers)
                self.following_counts[item.user_id] = int(item.following)

    def results(self) -> dict[str, list[str]]:
        """For each invariant what breaks it."""
        followers = Counter(followed for _, followed in self.followers)
        following = Counter(follower for follower, _ in self.following)
        return {
            "follower counts equal follower edges": list(
                wrong_counts(self.follower_counts, followers)
            ),
            "following counts equal following edges": list(
                wrong_counts(self.following_counts, following)
            ),
            "follower and following edges are mirror images": _lines(
                self.following ^ self.followers
            ),
            "followers were here as late as their edges say": sorted(
                f"{follower_id} → {user_id}: {day}"
                for (follower_id, user_id), day in self.noted.items()
                if follower_id in self.seen and _day_before(day) > self.seen[follower_id]
            ),
        }


def _day_before(day: str) -> str:
    # A page that began before midnight UTC may follow after it.
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


@dataclass
class DirectoryInvariants:
    """Give it every item with `add`, then ask for `results`."""

    entries: set[Key] = field(default_factory=set)
    wanted: set[Key] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case DirectoryEntry():
                self.entries.add(item.key)
            case UserInfo():
                self.wanted |= {entry.key for entry in _entries(item)}

    def results(self) -> dict[str, list[str]]:
        """For each invariant what breaks it."""
        wrong = self.entries ^ self.wanted
        return {"directory entries are what the infos say": [f"{pk} / {sk}" for pk, sk in wrong]}


@dataclass
class RelationInvariants:
    """Pairs of people with a relationship, by type. Ended relationships are left out."""

    in_force: dict[RelationType, set[Pair]] = field(
        default_factory=lambda: {kind: set() for kind in RelationType}
    )
    blocked_by: set[Pair] = field(default_factory=set)
    following: set[Pair] = field(default_factory=set)
    friend_counts: dict[str, int] = field(default_factory=dict)
    misplaced: list[str] = field(default_factory=list)
    readable: list[str] = field(default_factory=list)  # notes in plain text
    noting: set[str] = field(default_factory=set)  # whose notes are sealed
    keys: set[str] = field(default_factory=set)  # whose key is there
    subscribed: set[Pair] = field(default_factory=set)  # as the favourites say
    subscribers: set[Pair] = field(default_factory=set)  # as the authors' partitions say
    profiles: dict[str, dict[str, str]] = field(default_factory=dict)  # what is copied of them
    copying: list[Relation] = field(default_factory=list)

    def add(self, item: Item) -> None:
        match item:
            case UserInfo():
                self.profiles[item.user_id] = profile_copies(item.location or "", item.gender or "")
            case Relation():
                self._add_relation(item)
            case PersonKey():
                self.keys.add(item.user_id)
            case PostSubscriber():
                self.subscribers.add((item.subscriber_id, item.user_id))
            case Following():
                self.following.add((item.user_id, item.followed_id))
            case UserCount():
                self.friend_counts[item.user_id] = int(item.friends)

    def _add_relation(self, item: Relation) -> None:
        kind = RelationType(int(item.relation_type))
        pair = item.user_id, item.other_id
        if isinstance(item.note, str):
            self.readable.append(f"{item.pk} / {item.sk}")
        elif item.note:
            self.noting.add(item.user_id)
        if item.blocked_by:
            self.blocked_by.add(pair)
        if not item.delete_status:
            self.in_force[kind].add(pair)
            if kind in COPYING:
                self.copying.append(item)
        if kind == RelationType.FAVOURITE and item.subscribed and not item.delete_status:
            self.subscribed.add(pair)
        target = None if item.delete_status else keys.relation_target(kind, item.other_id)
        if item.relation_target != target or item.key != keys.relation(pair[0], kind, pair[1]):
            self.misplaced.append(f"{item.pk} / {item.sk}")

    def results(self) -> dict[str, list[str]]:
        """For each invariant what breaks it."""
        friends, blocks = self.in_force[FRIEND], self.in_force[BLOCK]
        apart = blocks | _mirrored(blocks)
        ended = {kind: self.in_force[kind] & apart for kind in (FRIEND, *ENDED_BY_BLOCK)}
        friend_counts = Counter(user_id for user_id, _ in friends)
        return {
            "notes on people are sealed with a key that is there": [
                *self.readable,
                *sorted(self.noting - self.keys),
            ],
            "friend counts equal friendships": list(
                wrong_counts(self.friend_counts, friend_counts)
            ),
            "friendships stand on both sides": _lines(friends ^ _mirrored(friends)),
            "no friends wait for each other": _lines(
                friends & self.in_force[RelationType.FRIEND_REQUEST]
            ),
            "nothing is between people of whom one blocks the other": [
                *_lines(self.following & apart),
                *(f"{kind.name}: {line}" for kind in ended for line in _lines(ended[kind])),
            ],
            "blocks stand on both sides": _lines(_mirrored(blocks) ^ self.blocked_by),
            "people who are notified of posts have the author as a favourite": _lines(
                self.subscribed ^ self.subscribers
            ),
            "relations are in the index while they are in force": self.misplaced,
            "relations copy what profiles say": sorted(
                f"{item.user_id} → {item.other_id}" for item in self.copying if self._is_old(item)
            ),
        }

    def _is_old(self, item: Relation) -> bool:
        """Whether a copy says something else than the profile. One from before copies were folded lacks those."""
        wanted = self.profiles.get(item.other_id, {})
        copies = {name: getattr(item, name) for name in wanted}
        return any(
            (copy or "") != wanted[name]
            for name, copy in copies.items()
            if copy is not None or not name.startswith("folded")
        )


def _entries(info: UserInfo) -> Iterator[DirectoryEntry]:
    yield from directory_entries(user_id=info.user_id, handle=info.handle, name=info.name)


def _mirrored(pairs: set[Pair]) -> set[Pair]:
    return {(other, one) for one, other in pairs}


def _lines(pairs: set[Pair]) -> list[str]:
    return [f"{one} → {other}" for one, other in sorted(pairs)]

"""What must always hold between people: follow edges and their counts, relationships, and the directory. And what
repairs them: circles from before they had ids get names, so that the composer offers them; what ended under earlier
code forgets circles and note; copies of profiles, also from before these were folded, follower counts and the days in
the edges of followers are corrected; the directory is mended where the record of a sign-up or a new name was lost."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from operator import or_

from pynamodb.expressions.update import Action

from accounts.checks import wrong_counts
from accounts.models import PersonKey, UserCount, UserInfo, UserSettings
from accounts.people.viewer import is_new
from relations.blocks.writes import ENDED_BY_BLOCK
from relations.directory import directory_entries
from relations.follows.writes import WORKER
from relations.friends.writes import change_circles
from relations.models import (
    COPYING,
    DirectoryEntry,
    Follower,
    Following,
    PostSubscriber,
    Relation,
    RelationType,
)
from relations.relation import (
    IN_FORCE,
    KEEP_BEGINNING,
    copy_profile,
    is_in_force,
    profile_copies,
    shown_level,
)
from socialsite.invariants import must_hold
from socialsite.streams.recounting import Unapplied, mend_count
from socialsite.table import (
    Item,
    Key,
    NotFound,
    RawItem,
    change,
    fetch,
    key_of,
    keys,
    query,
    row,
    write_batch,
)

Pair = tuple[str, str]

FRIEND, BLOCK = RelationType.FRIEND, RelationType.BLOCK


@must_hold
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


@must_hold
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


@must_hold
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
    remembering: list[str] = field(default_factory=list)  # ended, with circles or a note
    noting: set[str] = field(default_factory=set)  # whose notes are sealed
    keys: set[str] = field(default_factory=set)  # whose key is there
    subscribed: set[Pair] = field(default_factory=set)  # as the favourites say
    subscribers: set[Pair] = field(default_factory=set)  # as the authors' partitions say
    profiles: dict[str, dict[str, str]] = field(default_factory=dict)  # what is copied of them
    copying: list[Relation] = field(default_factory=list)

    def add(self, item: Item) -> None:
        match item:
            case UserInfo():
                self.profiles[item.user_id] = profile_copies(
                    item.location or "", item.gender or "", shown_level(item)
                )
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
        if item.delete_status and (item.tags or item.note):
            self.remembering.append(f"{item.pk} / {item.sk}")
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
            "ended relations keep neither circles nor notes": self.remembering,
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


def mend_follower_count(user_id: str) -> Iterator[str]:
    """Sets a person's follower count to their follow edges, without those that the worker has not counted yet."""
    yield from mend_count(
        UserCount,
        keys.user_count(user_id),
        "followers",
        count=lambda: sum(1 for _ in query(keys.followers(user_id), consistent=True)),
        waiting=partial(_waiting, user_id),
    )


def mend_days(edges: Sequence[RawItem]) -> None:
    """Sets the day in an edge back to the follower's own where it is later: the site's clock stood ahead when they
    followed. A consistent BatchGetItem of the settings of followers, 1 read unit each, and 1 write unit a correction.
    """
    noted = [raw for raw in edges if "seen" in raw]
    settings = {key_of(raw): keys.user_settings(row(Follower, raw).follower_id) for raw in noted}
    found = fetch(dict.fromkeys(settings.values()), consistent=True)
    for raw in noted:
        day = row(Follower, raw).seen
        own = row(UserSettings, found.get(settings[key_of(raw)], {})).seen
        if own and own < day:
            with suppress(NotFound):  # the follow has ended, or a fan-out noted another day
                change(
                    Follower, key_of(raw), [Follower.seen.set(own)], condition=Follower.seen == day
                )


def _waiting(user_id: str, unapplied: Unapplied) -> int:
    return sum(
        1 if change.event == "INSERT" else -1
        for change in unapplied.changes(Following)
        if change.event != "MODIFY"
        and isinstance(change.item, Following)
        and change.item.counted_by == WORKER
        and change.item.followed_id == user_id
    )


def mend_copies(relations: Iterable[RawItem]) -> None:
    """Copies place, pronouns and shown level of the other person into these friendships and favourites. Safe to repeat.

    One BatchGetItem for 100 people, 1 read unit each, and one UpdateItem for each relationship that says something
    else.
    """
    copying = [
        raw for raw in relations if row(Relation, raw).relation_type in COPYING and is_in_force(raw)
    ]
    infos = fetch((keys.user_info(row(Relation, raw).other_id) for raw in copying), consistent=True)
    for raw in copying:
        info = infos.get(keys.user_info(row(Relation, raw).other_id))
        if info is None:
            continue
        known = row(UserInfo, info)
        says = known.location, known.gender, shown_level(known)
        wanted = profile_copies(*says)
        if wanted != {name: getattr(row(Relation, raw), name) for name in wanted}:
            with suppress(NotFound):  # ended meanwhile
                change(Relation, key_of(raw), copy_profile(*says), condition=IN_FORCE)


def forget_ended(relations: Iterable[RawItem]) -> None:
    """Takes circles and note from these relationships that ended under earlier code, which kept them, and notes when
    friendships and favourites among them first began. Safe to repeat. One UpdateItem for each that lacks it."""
    for raw in relations:
        ended = row(Relation, raw)
        if not ended.delete_status:
            continue
        actions: list[Action] = []
        if ended.tags or ended.note:
            actions = [Relation.tags.remove(), Relation.note.remove()]
        if ended.relation_type in COPYING and not ended.first_at:
            actions.append(KEEP_BEGINNING)
        if actions:
            with suppress(NotFound):  # begun again meanwhile
                change(Relation, key_of(raw), actions, condition=Relation.delete_status == True)  # noqa: E712


def mend_directory(infos: Iterable[RawItem], entries: Sequence[RawItem]) -> None:
    """Adds the missing entries of these people, and deletes entries whose name nobody has any more.

    Consistent BatchGetItems of the entries and of their people. If a person is renamed meanwhile, the stream brings
    that later.
    """
    wanted = {entry.key: entry for raw in infos for entry in _entries_of(raw)}
    present = fetch(wanted, consistent=True)
    owners = [keys.user_info(row(DirectoryEntry, raw).user_id) for raw in entries]
    found = fetch(owners, consistent=True)
    rightful: set[Key] = {entry.key for raw in found.values() for entry in _entries_of(raw)}
    write_batch(
        puts=[entry for key, entry in wanted.items() if key not in present],
        deletes=[key_of(raw) for raw in entries if key_of(raw) not in rightful],
    )


def _entries_of(raw: RawItem) -> Iterable[DirectoryEntry]:
    info = row(UserInfo, raw)
    return directory_entries(user_id=info.user_id, handle=info.handle, name=info.name)


def name_circles(relations: Iterable[RawItem]) -> None:
    """Names the circles of these friendships after themselves if they have no name. Safe to repeat.

    One GetItem for each person with such circles, 1 read unit, and at most one UpdateItem.
    """
    used: dict[str, dict[str, str]] = {}
    for raw in relations:
        relation = row(Relation, raw)
        is_friend = relation.relation_type == RelationType.FRIEND
        old = {tag: tag for tag in relation.tags if not is_new(tag)}
        if old and is_friend and is_in_force(raw):
            used.setdefault(relation.user_id, {}).update(old)
    for user_id, old in used.items():
        change_circles(user_id, partial(or_, old))

"""How somebody is told: candidates are gathered, those are left out who do not want it or may not see it, and what is
left becomes lines of the inbox, grouped, with the bell's count
(docs/adr/0020-notifications-are-grouped-when-written.md)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice

from accounts.models import Bell, UserSettings, unseen_group
from accounts.people.cards import PersonCard
from accounts.people.viewer import MOST_SHOWN, Viewer, Waiting
from feed.cards.reads import get_posts
from feed.notices import LIKE
from feed.posts.models import LikeTrace, Post
from feed.posts.reads import Pointer, can_view, sight_of
from notifications.models import NO_POST, SEVERAL, Notification, group_of
from relations.models import Relation, RelationType
from relations.notices import FOLLOW
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.streams.ledger import PlanMoved
from socialsite.table import (
    Change,
    Create,
    Delete,
    Key,
    RawItem,
    WriteAction,
    fetch,
    ids,
    keys,
    row,
)
from socialsite.telling import Actors, Cause, Kind, OptOut, channel

NEW_FOR_DAYS = 7  # an account
MOST_CHECKED = 8  # people of a group: of a flood no more are looked at


@dataclass(slots=True)
class Candidate:
    """A notification that one person may get, in one group. `causes` holds, by actor, the item that is there as long as
    it holds. Where a whole post is shown that is the post, and the person must be among those who may see it."""

    kind: Kind
    pointer: Pointer = NO_POST
    causes: dict[str, Key] = field(default_factory=dict)

    def person(self, actor: str) -> str:
        """Returns the person behind an actor, which is a post where a favourite posted or a poll ended."""
        return self.pointer.author_id if self.kind.actors == Actors.POSTS else actor


Candidates = dict[str, dict[str, Candidate]]


@dataclass(slots=True)
class Filter:
    """Decides on candidates from what was read: `items` by key."""

    items: dict[Key, RawItem]

    def split(self, user_id: str, candidate: Candidate) -> tuple[list[str], list[str]]:
        """Returns the people whose cause is there, and those whose cause is gone. A post that the person may not see is
        gone for them."""
        present = [
            actor
            for actor, cause in candidate.causes.items()
            if holds(self.items.get(cause), candidate.kind, user_id)
        ]
        if present and candidate.kind.shows_whole_post and not _can_see(user_id, candidate.pointer):
            present = []
        if (
            present
            and candidate.kind.actors == Actors.POSTS
            and not self._can_view(user_id, candidate)
        ):
            present = []
        return present, [actor for actor in candidate.causes if actor not in present]

    def actors(
        self, user_id: str, candidate: Candidate, present: Sequence[str]
    ) -> tuple[Sequence[str], int]:
        """Returns those of the present people whose notification passes, and how many more there are: of a flood the
        first 8 are looked at. The others are counted, if one of these passes, and never named."""
        settings = self.items.get(keys.user_settings(user_id), {})
        opted_out = row(UserSettings, settings).opted_out
        if not present or not candidate.kind.is_wanted(opted_out):
            return (), 0
        if candidate.kind.actors == Actors.NOBODY:
            return present, 0
        if any(key in self.items for key in _left_keys(user_id, candidate, self.items)):
            return (), 0
        me = PersonCard.from_raw(self.items[keys.user_info(user_id)])
        if candidate.kind is FOLLOW and me.is_locked:  # they accepted the request themselves
            return (), 0
        some = [
            actor
            for actor in present[:MOST_CHECKED]
            if self._may_notify(user_id, candidate.person(actor), candidate.kind, opted_out)
        ]
        return some, len(present[MOST_CHECKED:]) if some else 0

    def _may_notify(self, user_id: str, actor: str, kind: Kind, opted_out: Iterable[str]) -> bool:
        info = self.items.get(keys.user_info(actor))
        if info is None:
            return False
        person = PersonCard.from_raw(info)
        if person.is_locked_out or self._is_blocked_or_muted(user_id, actor):
            return False
        if kind.was_asked_for:
            return True
        if keys.following(user_id, actor) in self.items:
            return True
        is_new = ids.time_of(actor) > utc_now() - timedelta(days=NEW_FOR_DAYS)
        is_stranger = person.is_limited or OptOut.STRANGERS in opted_out
        return not is_stranger and not (is_new and OptOut.NEWCOMERS in opted_out)

    def _can_view(self, user_id: str, candidate: Candidate) -> bool:
        author_id, viewer = candidate.pointer.author_id, Viewer(user_id)
        info = self.items.get(keys.user_info(author_id))
        author = PersonCard.from_raw(info, viewer_id=user_id) if info else None
        sight = sight_of(viewer, author_id, self.items)
        posts = (self.items.get(cause) for cause in candidate.causes.values())
        return all(can_view(viewer, post, author, sight) for post in posts)

    def _is_blocked_or_muted(self, user_id: str, actor: str) -> bool:
        block = self.items.get(keys.relation(user_id, RelationType.BLOCK, actor))
        mute = self.items.get(keys.relation(user_id, RelationType.MUTE, actor))
        return blocks_either_way(block) or is_in_force(mute)


def read_filter(
    candidates: Candidates, people: Mapping[Key, RawItem], *, also: Iterable[Key]
) -> Filter:
    """Reads what decides. Two BatchGetItems for 100 keys each, consistent: first what happened and to which posts, then
    what is between the people, and whether they left those conversations."""
    items = dict(people)
    items |= fetch([*also, *_causes(candidates), *_subjects(candidates)], consistent=True)
    items |= fetch(_relationship_keys(candidates, items), consistent=True)
    return Filter(items)


def holds(cause: RawItem | None, kind: Kind, user_id: str) -> bool:
    """Whether the raw item that a notification came from is still there: a relation in force, the trace of a like, or
    what the kind itself looks at."""
    if cause is None:
        return False
    if kind.holds:
        return kind.holds(user_id, cause)
    if cause["type"]["S"] == Relation.__name__:
        return is_in_force(cause)
    return not row(LikeTrace, cause).not_liked


def _left_keys(user_id: str, candidate: Candidate, items: Mapping[Key, RawItem]) -> Iterator[Key]:
    """Yields the keys that say that the person left a conversation in which this happened: of the post that they are
    told of, and of the one that it quotes. A like names no conversation, so the post that was read does."""
    for key in _posts(candidate):
        if raw := items.get(key):
            post = row(Post, raw)
            yield keys.left_thread(user_id, post.root_id or post.post_id)


def _posts(candidate: Candidate) -> Iterator[Key]:
    if not candidate.kind.is_in_conversation:
        return
    for pointer in (candidate.pointer, candidate.pointer.quoted):
        if pointer.post_id:
            yield keys.post(pointer.author_id, pointer.post_id)


def _subjects(candidates: Candidates) -> Iterator[Key]:
    for groups in candidates.values():
        for candidate in groups.values():
            yield from _posts(candidate)


def _causes(candidates: Candidates) -> Iterator[Key]:
    for groups in candidates.values():
        for candidate in groups.values():
            yield from candidate.causes.values()


def _relationship_keys(candidates: Candidates, items: Mapping[Key, RawItem]) -> Iterator[Key]:
    for user_id, groups in candidates.items():
        for candidate in groups.values():
            yield from _left_keys(user_id, candidate, items)
            present = (actor for actor, cause in candidate.causes.items() if cause in items)
            for person in map(candidate.person, islice(present, MOST_CHECKED)):
                yield keys.user_info(person)
                yield keys.following(user_id, person)
                yield keys.relation(user_id, RelationType.BLOCK, person)
                yield keys.relation(user_id, RelationType.MUTE, person)
                if candidate.kind.actors == Actors.POSTS:
                    yield keys.relation(person, RelationType.FRIEND, user_id)


def _can_see(user_id: str, pointer: Pointer) -> bool:
    return bool(get_posts([pointer], viewer=Viewer(user_id)))


KEPT_DAYS = 90
MOST_ACTORS = 8  # whose ids a group keeps
MOST_ASKING = 50  # requests that the badge counts; the page of requests shows all
MOST_UNSEEN = MOST_SHOWN - 1  # groups; the last place is for likes of several posts


def key_of_group(user_id: str, group: str, value: str) -> Key:
    """Returns the key of an unseen group, from what the bell says of it."""
    return keys.notification(user_id, f"{value[: keys.TIME]}{group}")


@dataclass(slots=True)
class InboxChanges:
    """Collects what candidates that passed change, and makes of it the fewest actions."""

    user_id: str
    items: Mapping[Key, RawItem]
    unseen: dict[str, str] = field(default_factory=dict)  # new values; empty: taken away
    asking: set[str] | None = None
    overflow: list[str] = field(default_factory=list)
    beyond: int = 0  # people of the overflow who are only counted
    written: list[WriteAction] = field(default_factory=list)

    @property
    def bell(self) -> RawItem:
        return self.items.get(keys.bell(self.user_id), {})

    @property
    def waiting(self) -> Waiting:
        return Waiting.from_raw(self.bell)

    def count_request(self, group: str, *, waits: bool) -> None:
        asking = set(row(Bell, self.bell).asking) if self.asking is None else self.asking
        if waits and len(asking) < MOST_ASKING:
            self.asking = asking | {group}
        elif not waits and group in asking:
            self.asking = asking - {group}

    def apply(
        self, group: str, candidate: Candidate, new: Sequence[str], gone: Sequence[str], beyond: int
    ) -> None:
        """Opens the group, adds to it, or takes it back. `beyond` are people who are only counted."""
        value = self.waiting.unseen.get(group, "")
        raw = self.items.get(key_of_group(self.user_id, group, value)) if value else None
        if raw is not None:
            self._change(group, value, raw, new, gone, beyond)
        elif new and self._is_full and candidate.kind is LIKE:
            self.overflow += new
            self.beyond += beyond
        elif new:
            self._open(group, candidate, new, beyond, counts=not self._is_full)

    def actions(self) -> Sequence[WriteAction]:
        """Returns the change of the bell and those of the groups; none if there is nothing to change."""
        if self.overflow:
            self._add_to_several()
        if self.unseen or self.asking is not None:
            return [self._change_bell(), *self.written]
        return self.written

    def _add_to_several(self) -> None:
        group, new = group_of(LIKE, SEVERAL), list(dict.fromkeys(self.overflow))
        value = self.waiting.unseen.get(group, "")
        raw = self.items.get(key_of_group(self.user_id, group, value)) if value else None
        if raw is not None:
            self._change(group, value, raw, new, (), self.beyond)
        else:
            self._open(group, Candidate(LIKE), new, self.beyond)

    def _change_bell(self) -> WriteAction:
        asking = self.asking if self.asking is not None else set(row(Bell, self.bell).asking)
        if not self.bell:
            unseen = {group: value for group, value in self.unseen.items() if value}
            bell = Bell.new(
                user_id=self.user_id, unseen=unseen, asking=asking, changes=self._number
            )
            return Create(bell, otherwise=PlanMoved)
        changes = [
            Bell.changes.set(self._number),
            Bell.asking.set(asking) if asking else Bell.asking.remove(),
        ]
        condition = Bell.changes == self.waiting.changes
        for group, value in self.unseen.items():
            at, before = unseen_group(group), self.waiting.unseen.get(group)
            changes.append(at.set(value) if value else at.remove())
            condition &= at == before if before else at.does_not_exist()
        key = keys.bell(self.user_id)
        return Change(Bell, key, changes, condition=condition, otherwise=PlanMoved)

    @property
    def _is_full(self) -> bool:
        return len(self.waiting.unseen.keys() | self.unseen.keys()) >= MOST_UNSEEN

    @property
    def _number(self) -> int:
        return self.waiting.changes + 1

    def _change(
        self,
        group: str,
        value: str,
        raw: RawItem,
        new: Sequence[str],
        gone: Sequence[str],
        beyond: int,
    ) -> None:
        was = row(Notification, raw)
        known, left = set(was.actors), set(was.actors) - set(gone)
        added = [actor for actor in new if actor not in known]
        people = int(was.people) - len(known - left) + len(added) + beyond
        actors = left | set(added[: MOST_ACTORS - len(left)])
        key = key_of_group(self.user_id, group, value)
        if not actors:
            self.written.append(Delete(key, otherwise=PlanMoved))
            self.unseen[group] = ""
        elif added or beyond or left != known:
            changes = [Notification.people.set(people), Notification.actors.set(actors)]
            self.written.append(Change(Notification, key, changes, otherwise=PlanMoved))
            self.unseen[group] = f"{value[: keys.TIME]}.{self._number}"

    def _open(
        self,
        group: str,
        candidate: Candidate,
        new: Sequence[str],
        beyond: int,
        *,
        counts: bool = True,
    ) -> None:
        time = ids.new_id()[: keys.TIME]
        note = Notification.new(
            user_id=self.user_id,
            place=f"{time}{group}",
            kind=candidate.kind.code,
            actors=new[:MOST_ACTORS],
            people=len(new) + beyond,
            pointer=candidate.pointer,
            ttl=utc_now() + timedelta(days=KEPT_DAYS),
        )
        self.written.append(Create(note, otherwise=PlanMoved))
        if counts:
            self.unseen[group] = f"{time}.{self._number}"


# What a batch of stream records changes for the people whom it notifies: their bells and groups of
# notifications.
#
# Handlers add candidates, and the ledger writes what becomes of them with the checkpoint, so that nobody is
# notified twice. That is decided at the commit, from what then holds: someone who liked, unliked and liked
# again counts once.

LINES = 2  # that a group may become: its own, and the bell


@channel(carries=lambda kind: bool(kind.code))
@dataclass(slots=True)
class Notifications:
    """The bell: a `Plan` with candidates, by person and group."""

    candidates: Candidates = field(default_factory=lambda: defaultdict(dict))

    @property
    def size(self) -> int:
        return sum(LINES * len(groups) for groups in self.candidates.values())

    def add(self, user_id: str, kind: Kind, cause: Cause) -> None:
        """Notes that something began or ended: the cause's item is there as long as it holds. People are not notified
        of what they did themselves."""
        assert cause.item
        if user_id != cause.actor:
            pointer = Pointer(*cause.post) if cause.post else NO_POST
            mine = self._candidate(user_id, group_of(kind, cause.about), kind, pointer)
            mine.causes[cause.actor] = cause.item

    def merge(self, other: "Notifications") -> None:
        for user_id, groups in other.candidates.items():
            for group, candidate in groups.items():
                mine = self._candidate(user_id, group, candidate.kind, candidate.pointer)
                mine.causes |= candidate.causes

    def _candidate(self, user_id: str, group: str, kind: Kind, pointer: Pointer) -> Candidate:
        return self.candidates[user_id].setdefault(group, Candidate(kind, pointer))

    def actions(self) -> Sequence[WriteAction]:
        """Reads bells, settings, causes and what is between the people, consistently: three BatchGetItems for 100 keys
        each, and one for each post in words. 1 read unit a key, 2 write units for each bell and group that changes."""
        people = fetch(self._keys_of_people(), consistent=True)
        wanted = read_filter(self.candidates, people, also=self._open_groups(people))
        return [
            action
            for user_id, groups in self.candidates.items()
            if keys.user_info(user_id) in people
            for action in _inbox_changes(user_id, groups, wanted)
        ]

    def _keys_of_people(self) -> Iterator[Key]:
        for user_id in self.candidates:
            yield keys.user_info(user_id)
            yield keys.user_settings(user_id)
            yield keys.bell(user_id)

    def _open_groups(self, people: Mapping[Key, RawItem]) -> Iterator[Key]:
        for user_id, groups in self.candidates.items():
            unseen = people.get(keys.bell(user_id), {}).get("unseen", {}).get("M", {})
            for group in {*groups, group_of(LIKE, SEVERAL)} & unseen.keys():
                yield key_of_group(user_id, group, unseen[group]["S"])


def _inbox_changes(
    user_id: str, groups: Mapping[str, Candidate], wanted: Filter
) -> Sequence[WriteAction]:
    changes = InboxChanges(user_id, wanted.items)
    for group, candidate in groups.items():
        present, gone = wanted.split(user_id, candidate)
        if candidate.kind.is_request:
            changes.count_request(group, waits=bool(present))
        new, beyond = wanted.actors(user_id, candidate, present)
        changes.apply(group, candidate, new, gone, beyond)
    return changes.actions()

"""Which of the things that concern a person still hold, and are wanted by them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice

from accounts.cards import PersonCard
from accounts.models import UserSettings
from accounts.viewer import Viewer
from feed.access_patterns import get_posts
from feed.models import LikeTrace
from feed.pointers import Pointer
from feed.threads.policy import is_mentioned
from notifications.choices import NEW_FOR_DAYS, Untold, is_wanted
from notifications.kinds import ACCEPTED, IN_WORDS, Kind
from notifications.models import NO_POST
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.table import ids, keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row

LOOKED_AT = 8  # people of a group: of a flood no more are asked after


@dataclass(slots=True)
class Concern:
    """What happened to one person in one group. `causes` holds, by actor, the item that is there as long as it holds.
    For what is told of a post in words that is the post, and the person must be among those whom it is for."""

    kind: Kind
    pointer: Pointer = NO_POST
    causes: dict[str, Key] = field(default_factory=dict)


Concerns = dict[str, dict[str, Concern]]


@dataclass(slots=True)
class Heard:
    """What was read: `items` by key."""

    items: dict[Key, RawItem]

    def causes(self, user_id: str, concern: Concern) -> tuple[list[str], list[str]]:
        """Returns the people whose cause is there, and those whose cause is gone. A post that the person may not see is
        gone for them."""
        present = [
            actor
            for actor, cause in concern.causes.items()
            if holds(self.items.get(cause), concern.kind, user_id)
        ]
        if present and concern.kind in IN_WORDS and not _can_see(user_id, concern.pointer):
            present = []
        return present, [actor for actor in concern.causes if actor not in present]

    def told(self, user_id: str, concern: Concern, present: Sequence[str]) -> Sequence[str]:
        """Returns those of the present people of whom the person is told. Of more than 8 the rest follow these."""
        settings = self.items.get(keys.user_settings(user_id), {})
        untold = row(UserSettings, settings).untold
        if not present or not is_wanted(concern.kind, untold):
            return ()
        if concern.kind == Kind.DECISION:
            return present
        if concern.kind in IN_WORDS and left_key(user_id, concern.pointer) in self.items:
            return ()
        me = PersonCard.from_raw(self.items[keys.user_info(user_id)])
        if concern.kind == Kind.FOLLOW and me.is_locked:  # they accepted the request themselves
            return ()
        some = [
            actor
            for actor in present[:LOOKED_AT]
            if self._may_tell(user_id, actor, concern.kind, untold)
        ]
        return [*some, *present[LOOKED_AT:]] if some else ()

    def _may_tell(self, user_id: str, actor: str, kind: Kind, untold: Iterable[str]) -> bool:
        info = self.items.get(keys.user_info(actor))
        if info is None:
            return False
        person = PersonCard.from_raw(info)
        if person.is_locked_out or self._keeps_away(user_id, actor):
            return False
        if kind in ACCEPTED.values() or keys.following(user_id, actor) in self.items:
            return True
        is_new = ids.time_of(actor) > utc_now() - timedelta(days=NEW_FOR_DAYS)
        is_stranger = person.is_limited or Untold.STRANGERS in untold
        return not is_stranger and not (is_new and Untold.NEWCOMERS in untold)

    def _keeps_away(self, user_id: str, actor: str) -> bool:
        block = self.items.get(keys.relation(user_id, RelationType.BLOCK, actor))
        mute = self.items.get(keys.relation(user_id, RelationType.MUTE, actor))
        return blocks_either_way(block) or is_in_force(mute)


def hear(concerns: Concerns, people: Mapping[Key, RawItem], *, also: Iterable[Key]) -> Heard:
    """Reads what decides. Two BatchGetItems for 100 keys each, consistent."""
    items = dict(people)
    items |= fetch([*also, *_causes(concerns)], consistent=True)
    items |= fetch(_between(concerns, items), consistent=True)
    return Heard(items)


def holds(cause: RawItem | None, kind: Kind, user_id: str) -> bool:
    """Whether the raw item that a notification came from is still there: a relation in force, the trace of a like. A
    post that mentioned the person may have been edited since."""
    if cause is None:
        return False
    if kind == Kind.MENTION:
        return is_mentioned(user_id, cause)
    if cause["type"]["S"] == Relation.__name__:
        return is_in_force(cause)
    return not row(LikeTrace, cause).not_liked


def left_key(user_id: str, pointer: Pointer) -> Key:
    """Returns the key that says that the person left the thread of a post."""
    return keys.left_thread(user_id, pointer.root_id or pointer.post_id)


def _causes(concerns: Concerns) -> Iterator[Key]:
    for groups in concerns.values():
        for concern in groups.values():
            yield from concern.causes.values()


def _between(concerns: Concerns, items: Mapping[Key, RawItem]) -> Iterator[Key]:
    for user_id, groups in concerns.items():
        for concern in groups.values():
            if concern.kind in IN_WORDS:
                yield left_key(user_id, concern.pointer)
            present = (actor for actor, cause in concern.causes.items() if cause in items)
            for actor in islice(present, LOOKED_AT):
                yield keys.user_info(actor)
                yield keys.following(user_id, actor)
                yield keys.relation(user_id, RelationType.BLOCK, actor)
                yield keys.relation(user_id, RelationType.MUTE, actor)


def _can_see(user_id: str, pointer: Pointer) -> bool:
    return bool(get_posts([pointer], viewer=Viewer(user_id)))

"""Which candidates for a notification still hold, and may be sent to the person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice

from accounts.cards import PersonCard
from accounts.models import UserSettings
from accounts.viewer import Viewer
from feed.access_patterns import get_posts
from feed.models import LikeTrace, Post
from feed.pointers import Pointer
from feed.threads.policy import is_mentioned
from feed.visibility import can_view, sight_of
from notifications.choices import NEW_FOR_DAYS, OptOut, is_wanted
from notifications.kinds import (
    ACCEPTED,
    FROM_NOBODY,
    IN_CONVERSATIONS,
    OF_POSTS,
    WHOLE_POSTS,
    Kind,
)
from notifications.models import NO_POST
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.table import ids, keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row

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
        return self.pointer.author_id if self.kind in OF_POSTS else actor


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
        if present and candidate.kind in WHOLE_POSTS and not _can_see(user_id, candidate.pointer):
            present = []
        if present and candidate.kind in OF_POSTS and not self._can_view(user_id, candidate):
            present = []
        return present, [actor for actor in candidate.causes if actor not in present]

    def actors(self, user_id: str, candidate: Candidate, present: Sequence[str]) -> Sequence[str]:
        """Returns those of the present people whose notification passes. Of more than 8 the rest follow these."""
        settings = self.items.get(keys.user_settings(user_id), {})
        opted_out = row(UserSettings, settings).opted_out
        if not present or not is_wanted(candidate.kind, opted_out):
            return ()
        if candidate.kind in FROM_NOBODY:
            return present
        if any(key in self.items for key in _left_keys(user_id, candidate, self.items)):
            return ()
        me = PersonCard.from_raw(self.items[keys.user_info(user_id)])
        if candidate.kind == Kind.FOLLOW and me.is_locked:  # they accepted the request themselves
            return ()
        some = [
            actor
            for actor in present[:MOST_CHECKED]
            if self._may_notify(user_id, candidate.person(actor), candidate.kind, opted_out)
        ]
        return [*some, *present[MOST_CHECKED:]] if some else ()

    def _may_notify(self, user_id: str, actor: str, kind: Kind, opted_out: Iterable[str]) -> bool:
        info = self.items.get(keys.user_info(actor))
        if info is None:
            return False
        person = PersonCard.from_raw(info)
        if person.is_locked_out or self._is_blocked_or_muted(user_id, actor):
            return False
        if kind in (*ACCEPTED.values(), *OF_POSTS):  # they asked for it
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
    """Whether the raw item that a notification came from is still there: a relation in force, the trace of a like. A
    post that mentioned the person may have been edited since."""
    if cause is None:
        return False
    if kind == Kind.MENTION:
        return is_mentioned(user_id, cause)
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
    if candidate.kind not in IN_CONVERSATIONS:
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
                if candidate.kind in OF_POSTS:
                    yield keys.relation(person, RelationType.FRIEND, user_id)


def _can_see(user_id: str, pointer: Pointer) -> bool:
    return bool(get_posts([pointer], viewer=Viewer(user_id)))

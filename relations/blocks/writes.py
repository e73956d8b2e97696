"""Blocking: neither of the two sees the other. One transaction ends everything between them. Muting: hides a
person's posts from the timelines, for a time or until further notice. The person is not told."""

from collections import Counter
from contextlib import suppress
from datetime import datetime

from accounts.models import UserCount, UserSettings
from accounts.people.restrictions import must_be_there
from accounts.people.viewer import Viewer
from relations.follows.writes import (
    WidelyFollowed,
    has_few_followers,
    is_counted_by,
    let_worker_count,
)
from relations.models import Follower, Following, Relation, RelationType
from relations.relation import (
    ABSENT,
    IN_FORCE,
    NOT_IN_FORCE,
    CannotRelateToYourself,
    NotRelated,
    end_one_sided,
    end_relation,
    is_in_force,
    relate,
)
from socialsite.clock import utc_now_iso
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Delete,
    Key,
    Moved,
    NotFound,
    RawItem,
    Upsert,
    WriteAction,
    access_pattern,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)

Found = dict[Key, RawItem]

BLOCK = RelationType.BLOCK
ENDED_BY_BLOCK = (
    RelationType.FAVOURITE,
    RelationType.FOLLOW_REQUEST,
    RelationType.FRIEND_REQUEST,
)


class AlreadyBlocked(AlreadyExists):
    """The block is already in force."""


@access_pattern
def block(*, by: Viewer, user_id: str) -> None:
    """Blocks a person; safe to repeat. Raises `NotFound` if they are gone, `Conflict`.

    One consistent BatchGetItem of everything between the two, 11 keys, then one TransactWriteItems: the block in both
    partitions, the end of everything else (follows, friendship, requests, favourites, with their counts), checks that
    the rest is still absent, and a note in both UserSettings that hides them until the stream worker has cleared the
    timelines; at most 23 actions, 47 write units. If the stream worker counts the end of a follow, the transaction
    leaves the followed person's count alone. Above `PULL_ABOVE` followers the follow is first handed over to the
    worker, one UpdateItem. In all 31 to 47 write units and 11 read units. Later it clears both timelines
    (`feed/timelines/stream.py`).
    """
    if by.user_id == user_id:
        raise CannotRelateToYourself

    def attempt() -> None:
        try:
            transact(*_actions(by.user_id, user_id))
        except WidelyFollowed as error:
            let_worker_count(by.user_id, user_id)
            let_worker_count(user_id, by.user_id)
            raise Moved from error

    with suppress(AlreadyBlocked):
        write_optimistically(attempt)


@access_pattern
def unblock(*, by: Viewer, user_id: str) -> None:
    """Unblocks a person. Safe to repeat. Relationships that the block ended stay ended.

    One TransactWriteItems over both partitions, 5 write units.
    """
    other = keys.relation(user_id, BLOCK, by.user_id)
    try:
        transact(
            end_relation(by.user_id, BLOCK, user_id),
            Change(Relation, other, [Relation.blocked_by.remove()]),
        )
    except NotRelated:
        return


def _actions(by: str, other: str) -> list[WriteAction]:
    found = fetch(_between(by, other), consistent=True)
    if is_in_force(found.get(keys.relation(by, BLOCK, other))):
        raise AlreadyBlocked
    counts = {by: Counter[str](), other: Counter[str]()}
    actions: list[WriteAction] = [
        relate(by, BLOCK, other, otherwise=AlreadyBlocked),
        _blocked_by(other, by),
        must_be_there(other),
    ]
    for user_id, other_id in ((by, other), (other, by)):
        actions += _end_follow(user_id, other_id, found, counts)
        for relation_type in ENDED_BY_BLOCK:
            actions += _end(user_id, relation_type, other_id, found)
        hide = [UserSettings.hidden.add({other_id})]
        actions.append(Change(UserSettings, keys.user_settings(user_id), hide))
        # One action for each item, so two ended edges change a count together.
        actions += _end(user_id, RelationType.FRIEND, other_id, found)
        if is_in_force(found.get(keys.relation(user_id, RelationType.FRIEND, other_id))):
            counts[user_id]["friends"] -= 1
    return actions + [
        _change_counts(user_id, counts[user_id]) for user_id in counts if counts[user_id]
    ]


def _between(by: str, other: str) -> list[Key]:
    return [
        keys.relation(by, BLOCK, other),
        *(
            key
            for user_id, other_id in ((by, other), (other, by))
            for key in (
                keys.following(user_id, other_id),
                *(
                    keys.relation(user_id, kind, other_id)
                    for kind in (*ENDED_BY_BLOCK, RelationType.FRIEND)
                ),
            )
        ),
    ]


def _blocked_by(user_id: str, blocker_id: str) -> Upsert:
    """Returns the block's other side, in the blocked person's partition. It is not in force as a block of their own."""
    actions = [
        Relation.user_id.set(user_id),
        Relation.other_id.set(blocker_id),
        Relation.relation_type.set(BLOCK),
        Relation.blocked_by.set(True),
        Relation.delete_status.set(Relation.delete_status | True),
        Relation.created_at.set(Relation.created_at | ""),
    ]
    key = keys.relation(user_id, BLOCK, blocker_id)
    no_condition = Relation.blocked_by.does_not_exist()
    return Upsert(Relation, key, actions, condition=no_condition, otherwise=AlreadyBlocked)


def _end_follow(
    follower_id: str, followed_id: str, found: Found, counts: dict[str, Counter[str]]
) -> list[WriteAction]:
    edges = keys.following(follower_id, followed_id), keys.follower(followed_id, follower_id)
    if edges[0] not in found:
        return [Check(edges[0], condition=ABSENT, otherwise=Moved)]
    counted_by = row(Following, found[edges[0]]).counted_by or None
    counts[follower_id]["following"] -= 1
    if not counted_by:
        counts[followed_id]["followers"] -= 1
    return [
        Delete(edges[0], is_counted_by(counted_by), otherwise=Moved),
        Delete(edges[1], otherwise=Moved),
    ]


def _end(
    user_id: str, relation_type: RelationType, other_id: str, found: Found
) -> list[WriteAction]:
    key = keys.relation(user_id, relation_type, other_id)
    if is_in_force(found.get(key)):
        return end_one_sided(user_id, relation_type, other_id, otherwise=Moved)
    return [Check(key, condition=NOT_IN_FORCE, otherwise=Moved)]


def _change_counts(user_id: str, deltas: Counter[str]) -> WriteAction:
    actions = [getattr(UserCount, name).add(delta) for name, delta in deltas.items()]
    key = keys.user_count(user_id)
    if "followers" in deltas:
        return Change(UserCount, key, actions, has_few_followers(), WidelyFollowed)
    return Change(UserCount, key, actions)


MUTE = RelationType.MUTE
NEVER_ENDS = "9999"


@access_pattern
def mute(*, by: Viewer, user_id: str, until: datetime | None = None) -> None:
    """Mutes a person until a moment or for ever. Muting again sets the new end. Raises `NotFound` if they are gone.

    One consistent BatchGetItem of the mute and the follow edge, then one TransactWriteItems: the Relation (type 4), the
    end of the mute on the Follower edge, so that fan-out skips it, and a note in UserSettings that hides them until the
    stream worker has cleared the timeline; at most 9 write units. In all 9 write units and 2 read units.
    """
    if by.user_id == user_id:
        raise CannotRelateToYourself
    write_optimistically(lambda: transact(*_mute_actions(by.user_id, user_id, until)))


@access_pattern
def unmute(*, by: Viewer, user_id: str) -> None:
    """Unmutes a person. Safe to repeat. Later the stream worker puts their newest posts back into the timeline if they
    are followed. For a friend who is not followed, it puts back the posts for friends. It also removes the hiding note,
    unless a block needs it too.

    One consistent BatchGetItem of the mute and the follow edge, then one TransactWriteItems: the Relation ends, and so
    does the note on the Follower edge; at most 5 write units. In all 5 write units and 2 read units.
    """
    edge = keys.follower(user_id, by.user_id)
    key = keys.relation(by.user_id, MUTE, user_id)

    def attempt() -> None:
        found = fetch([edge, key], consistent=True)
        if is_in_force(found.get(key)):
            transact(
                end_relation(by.user_id, MUTE, user_id, otherwise=Moved),
                _note_on_edge(by.user_id, user_id, None, is_there=edge in found),
            )

    write_optimistically(attempt)


def carry_mute_over(follower_id: str, followed_id: str) -> bool:
    """Notes on a new follow edge the end of an earlier mute. Returns whether the mute is in force.

    For the stream worker, which calls it for every new follow. One consistent BatchGetItem of the mute, 1 read unit; if
    it is in force one TransactWriteItems of the Follower edge and a check that the mute is still the same, 4 write
    units. Safe to run twice: the same end is noted. An edge that is gone by then stays gone.
    """
    key = keys.relation(follower_id, MUTE, followed_id)

    def attempt() -> bool:
        found = fetch([key], consistent=True).get(key)
        if found is None or not is_in_force(found):
            return False
        until = row(Relation, found).until
        same_end = Relation.until == until if until else Relation.until.does_not_exist()
        noted = [Follower.muted_until.set(until or NEVER_ENDS)]
        with suppress(NotFound):  # the edge is gone
            transact(
                Check(key, condition=IN_FORCE & same_end, otherwise=Moved),
                Change(Follower, keys.follower(followed_id, follower_id), noted),
            )
        return True

    return write_optimistically(attempt)


def _mute_actions(by: str, other: str, until: datetime | None) -> list[WriteAction]:
    edge = keys.follower(other, by)
    key = keys.relation(by, MUTE, other)
    found = fetch([edge, key], consistent=True)
    end = until.isoformat() if until else NEVER_ENDS
    if is_in_force(found.get(key)):
        ends = Relation.until.set(end) if until else Relation.until.remove()
        own: WriteAction = Change(
            Relation,
            key,
            [ends, Relation.update_time.set(utc_now_iso())],
            condition=IN_FORCE,
            otherwise=Moved,
        )
    else:
        own = relate(by, MUTE, other, until=until, otherwise=Moved)
    return [
        own,
        must_be_there(other),
        Change(UserSettings, keys.user_settings(by), [UserSettings.hidden.add({other})]),
        _note_on_edge(by, other, end, is_there=edge in found),
    ]


def _note_on_edge(by: str, other: str, end: str | None, *, is_there: bool) -> WriteAction:
    edge = keys.follower(other, by)
    if not is_there:
        return Check(edge, condition=ABSENT, otherwise=Moved)
    action = Follower.muted_until.set(end) if end else Follower.muted_until.remove()
    return Change(Follower, edge, [action], otherwise=Moved)

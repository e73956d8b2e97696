"""Muting: hides a person's posts from the timelines, for a time or until further notice. The person is not told."""

from contextlib import suppress
from datetime import datetime

from accounts.models import UserSettings
from accounts.restrictions import must_be_there
from accounts.viewer import Viewer
from relations.models import Follower, Relation, RelationType
from relations.relation import (
    ABSENT,
    IN_FORCE,
    CannotRelateToYourself,
    end_relation,
    is_in_force,
    relate,
)
from socialsite.table import keys
from socialsite.table.actions import Change, Check, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import transact

MUTE = RelationType.MUTE
NEVER_ENDS = "9999"


@access_pattern
def mute(*, by: Viewer, user_id: str, until: datetime | None = None) -> None:
    """Mutes a person until a moment or for ever. Muting again sets the new end. Raises `NotFound` if they are gone.

    One consistent BatchGetItem of the mute and the follow edge, then one TransactWriteItems: the Relation (type 4), the
    end of the mute on the Follower edge, so that fan-out skips it, and a note in UserSettings that hides them until the
    stream worker has cleared the timeline; at most 9 write units.
    """
    if by.user_id == user_id:
        raise CannotRelateToYourself
    write_as_read(lambda: transact(*_mute_actions(by.user_id, user_id, until)))


@access_pattern
def unmute(*, by: Viewer, user_id: str) -> None:
    """Unmutes a person. Safe to repeat. Later the stream worker puts their newest posts back into the timeline if they
    are followed. For a friend who is not followed, it puts back the posts for friends. It also removes the hiding note,
    unless a block needs it too.

    One consistent BatchGetItem of the mute and the follow edge, then one TransactWriteItems: the Relation ends, and so
    does the note on the Follower edge; at most 5 write units.
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

    write_as_read(attempt)


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

    return write_as_read(attempt)


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
            [ends],
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

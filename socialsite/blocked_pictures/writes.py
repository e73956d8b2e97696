"""Actions that put hashes on the list of blocked pictures and take them off it, for the transaction of what decides so.

A hash stays for as long as anything holds it: two decisions about one picture, or a decision and a list of others.
Undoing one of them leaves it there for the other.
"""

from socialsite.blocked_pictures.models import BlockedPicture
from socialsite.blocked_pictures.reads import HashKind
from socialsite.clock import utc_now_iso
from socialsite.table import ALWAYS, TableError, Upsert, keys


def blocked(kind: HashKind, value: str, *, holder: str) -> Upsert:
    """Returns the action that puts a hash on the list. 2 write units. Safe to repeat. Later the stream worker enters a
    perceptual one in its bands (`keep_bands`)."""
    actions = [
        BlockedPicture.kind.set(str(kind)),
        BlockedPicture.value.set(value),
        BlockedPicture.added_at.set(BlockedPicture.added_at | utc_now_iso()),
        BlockedPicture.holders.add({holder}),
    ]
    return Upsert(BlockedPicture, keys.blocked_picture(kind, value), actions, ALWAYS, TableError)


def let_go(kind: HashKind, value: str, *, holder: str) -> Upsert:
    """Returns the action after which a holder does not hold a hash any more. 2 write units. Safe to repeat, and for a
    hash that is gone. The stream worker deletes what nothing holds."""
    actions = [
        BlockedPicture.kind.set(str(kind)),
        BlockedPicture.value.set(value),
        BlockedPicture.added_at.set(BlockedPicture.added_at | utc_now_iso()),
        BlockedPicture.holders.delete({holder}),
    ]
    return Upsert(BlockedPicture, keys.blocked_picture(kind, value), actions, ALWAYS, TableError)

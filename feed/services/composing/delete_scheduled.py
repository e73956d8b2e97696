"""Deleting a scheduled post before it is published."""

from accounts.viewer import Viewer
from feed.composing.planned import cancel_publishing
from feed.composing.scheduled import Slot, find_scheduled
from socialsite.table.as_read import Moved
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def delete_scheduled(*, by: Viewer, slot: Slot, version: int) -> None:
    """Deletes one of the person's scheduled posts as they saw it, with its due item. Safe to repeat. Raises `Moved` if
    it was changed since.

    As `find_scheduled`, and one TransactWriteItems of two items, 4 write units.
    """
    card = find_scheduled(slot, user_id=by.user_id)
    if card is None:
        return
    if card.version != version:
        raise Moved
    transact(card.taken(), cancel_publishing(by.user_id, slot))

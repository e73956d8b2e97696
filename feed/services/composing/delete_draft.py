"""Deleting a draft."""

from accounts.viewer import Viewer
from feed.models import Draft
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.as_read import Moved
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.writing import transact


@access_pattern
def delete_draft(*, by: Viewer, draft_id: str, version: int) -> None:
    """Deletes one of the person's own drafts, as it was when they decided so. Safe to repeat. Raises `Moved` if it was
    saved since.

    One consistent BatchGetItem, 1 read unit for 4 KB, and one TransactWriteItems, 2 write units.
    """
    place = keys.draft(by.user_id, draft_id)
    if fetch([place], consistent=True):
        transact(Delete(place, Draft.version == version, otherwise=Moved))

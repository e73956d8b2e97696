"""What is planned for an export: that the zip is made, and that its files are deleted."""

from datetime import datetime, timedelta

from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.table.actions import Create

MAKE, DELETE = "make-export", "delete-export"
FILES_KEPT_FOR = timedelta(days=2)


def make(user_id: str, export_id: str, *, part: str) -> Create:
    """Returns the action that plans the zip at once, from the parts up to this one."""
    return plan(MAKE, moment=utc_now(), subject=export_id, user_id=user_id, part=part)


def delete_later(user_id: str, export_id: str, *, asked_at: datetime) -> Create:
    """Returns the action that plans the end of the files, whatever becomes of the export."""
    return plan(DELETE, moment=asked_at + FILES_KEPT_FOR, subject=export_id, user_id=user_id)

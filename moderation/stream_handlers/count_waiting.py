"""Has what waits counted again after a change: the places where a case was and is, and the desk of someone who joins or
leaves the staff. The clock counts (`moderation/staff/recount.py`)."""

from moderation.models import Case
from moderation.staff.recount import COUNT, count_place, plan_counts
from socialsite.due.work import due_work
from socialsite.models import Staff
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table.item import Item

due_work(COUNT)(count_place)


@on(Case, "INSERT", "MODIFY", "REMOVE")
def count_after_case(change: Change, ledger: Ledger) -> None:
    """Plans it for an open case that is counted otherwise than before. Safe to run twice: the same is planned, and what
    is there is counted."""
    was, now = _counted(change.old), _counted(change.new)
    if was == now:
        return
    ledger.note_effect()
    plan_counts({seen[0] for seen in (was, now) if seen}, change.moment)


@on(Staff, "INSERT", "REMOVE")
def count_after_role(change: Change, ledger: Ledger) -> None:
    """Plans it for the desk of someone who joins or leaves the staff. Safe to run twice, as above."""
    staff = change.item
    assert isinstance(staff, Staff)
    ledger.note_effect()
    plan_counts({staff.user_id}, change.moment)


def _counted(item: Item | None) -> tuple[str, str, str, int] | None:
    """Returns where an open case is counted and as what, None for a closed one."""
    if not isinstance(item, Case) or not item.escalated_to:
        return None
    return item.assigned_to or item.queue, item.kind, item.opened_at, int(item.appeals or 0)

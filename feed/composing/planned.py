"""The due item of a scheduled post: it lies at its moment, and brings the clock."""

from datetime import datetime

from feed.composing.scheduled import Slot
from socialsite.due.planning import cancel, plan
from socialsite.models import Due
from socialsite.table.actions import Create, Erase

PUBLISH = "publish"  # the kind of the due item


def plan_publishing(user_id: str, slot: Slot) -> Create:
    """Returns the action that plans the publishing of a scheduled post. 2 write units."""
    return plan(
        PUBLISH,
        moment=slot.publish_at,
        subject=_subject(user_id, slot),
        publish_at=slot.publish_at.isoformat(),
    )


def cancel_publishing(user_id: str, slot: Slot) -> Erase:
    """Returns the action that takes the plan back. If the clock is at it already, it finds nothing to publish. 2 write
    units."""
    return cancel(PUBLISH, moment=slot.publish_at, subject=_subject(user_id, slot))


def planned_in(due: Due) -> tuple[str, Slot]:
    """Returns whose post a due item publishes, and which. Trying again later moves the item, and not the post."""
    user_id, _, scheduled_id = due.subject.partition("-")
    return user_id, Slot(datetime.fromisoformat(due.facts["publish_at"]), scheduled_id)


def _subject(user_id: str, slot: Slot) -> str:
    return f"{user_id}-{slot.scheduled_id}"

"""The vital sign of the queues: how long the oldest urgent case has been open."""

from collections.abc import Iterator
from datetime import datetime

from moderation.staff.waiting import list_waiting
from socialsite.clock import utc_now
from socialsite.vital_signs import Vital, vital_signs


@vital_signs()
def of_urgent_cases() -> Iterator[Vital]:
    """The oldest of all queues and desks, 0 if there is none. As `list_waiting`."""
    found = list_waiting()
    places = [*found.queues.values(), *found.desks.values()]
    oldest = min((one.oldest_urgent for one in places if one.oldest_urgent), default="")
    age = (utc_now() - datetime.fromisoformat(oldest)).total_seconds() if oldest else 0
    yield Vital("urgent_case_seconds", "Age of the oldest urgent case that is open", age)

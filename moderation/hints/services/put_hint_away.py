"""Putting a hint away that is no wave, or is dealt with."""

from contextlib import suppress

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.hints.hint_ids import in_the_log
from moderation.models import Hint
from socialsite.table import keys, reading
from socialsite.table.actions import Change
from socialsite.table.errors import Conflict
from socialsite.table.meter import access_pattern


class PutAwayBefore(Conflict):
    """Someone else put the hint away at the same moment."""


@access_pattern
def put_hint_away(*, by: Viewer, hint_id: str) -> None:
    """Takes a hint off the page of reports, for all of the staff, however many posts it is about by then. The next day
    brings another one for the same text or network, the next hour for the same host. Safe to repeat.

    Two consistent GetItems, then one TransactWriteItems of the hint and the audit entry: 6 write units and 2 read
    units. Raises `NotFound`.
    """
    key = keys.hint(hint_id)
    if reading.get(Hint, key, consistent=True).put_away:
        return
    is_shown = Hint.put_away.does_not_exist()
    away = Change(Hint, key, [Hint.put_away.set("yes")], is_shown, PutAwayBefore)
    with suppress(PutAwayBefore):
        record(away, by=by.user_id, action="put hint away", detail={"hint": in_the_log(hint_id)})

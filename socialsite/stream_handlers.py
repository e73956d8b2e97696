"""Wakes the clock when work is planned that is due at once, so that nobody waits for its next look. The list of blocked
pictures has handlers of its own."""

import socialsite.blocked_pictures.stream  # noqa: F401
from socialsite.clock import utc_now_iso
from socialsite.due import clock
from socialsite.due.models import Due
from socialsite.streams import Change, Ledger, on


@on(Due, "INSERT")
def wake_clock(change: Change, ledger: Ledger) -> None:
    """Wakes the clock when something is planned for now. Safe to run twice: the clock looks once more. It writes
    nothing, so a record of it needs no checkpoint."""
    due = change.item
    assert isinstance(due, Due)
    if due.moment <= utc_now_iso():
        clock.woken.set()

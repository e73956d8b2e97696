"""Counts how many people were here on a day: each once, by the day that their settings note."""

from contextlib import suppress

from django.conf import settings

from accounts.models import UserSettings
from costs.active import ACTIVE
from moderation.models import DayCount
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.writing import create


@on(UserSettings, "INSERT", "MODIFY")
@access_pattern
def count_active(change: Change, ledger: Ledger) -> None:
    """Counts a person on the first of their signed-in requests of a day. With `COST_SAMPLE=0` it counts nobody.

    One consistent GetItem, 1 read unit, and 1 write unit for the first person of the day. Safe to run twice: the count
    is created once, and the ledger adds to it. It keeps a number and no names: the day in a person's settings was there
    before.
    """
    new, old = change.item, change.old
    assert isinstance(new, UserSettings)
    if not settings.COST_SAMPLE or (isinstance(old, UserSettings) and old.seen == new.seen):
        return
    count = DayCount.new(day=new.seen, name=ACTIVE)
    if not fetch([count.key], consistent=True):
        with suppress(AlreadyExists):
            create(count)
    ledger.add(DayCount, count.key, DayCount.times, 1, if_gone=_nothing)


def _nothing() -> None:
    """Does nothing, because day counts are never deleted."""

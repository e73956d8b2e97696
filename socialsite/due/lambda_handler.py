"""What is due, done under AWS Lambda: a schedule calls `handle` every minute (docs/deploy.md)."""

import time

import django

django.setup()

from socialsite.due.clock import Beats  # noqa: E402 - models need Django's settings
from socialsite.due.work import do_due  # noqa: E402 - models need Django's settings
from socialsite.site_settings.read_only import stands_still  # noqa: E402 - the same
from socialsite.table.actions import must_write_here  # noqa: E402 - the same

LOOKS = 4  # in the minute of an invocation
BETWEEN = 15.0  # seconds


def handle(event: object, context: object = None, *, between: float = BETWEEN) -> dict[str, int]:
    """Looks four times in a minute, and returns how many items were taken up. Raises `ReadOnly` in a region that only
    reads."""
    must_write_here()
    taken, beat = 0, Beats()
    for look in range(LOOKS):
        if look:
            time.sleep(between)
        if not stands_still():
            taken += do_due(beat=beat)
    return {"taken": taken}

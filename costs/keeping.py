"""Writes what this process spent: one small item every few minutes, from a thread of its own.

No page waits for it, and none fails with it. What cannot be written is dropped, with a warning: these are estimates.
"""

import logging
import secrets
import threading
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings

from costs.models import CostSample
from socialsite.clock import utc_now
from socialsite.site_settings.read_only import stands_still
from socialsite.table import access_pattern, create, ids, meter

ROWS_A_SAMPLE = 20  # one record of the stream adds at most 25 lines to a ledger
SAMPLE_KEPT = timedelta(days=2)  # longer than the stream remembers

log = logging.getLogger(__name__)


def write_later() -> None:
    """Has what is summed from now on written after `COST_SECONDS`."""
    timer = threading.Timer(settings.COST_SECONDS, write_in_time)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:  # no more threads
        meter.take()


def write_in_time() -> None:
    """Writes the sums, or lets them grow on while the site is only read on purpose: then nothing writes."""
    if stands_still():
        write_later()
    else:
        write_sums()


def write_at_exit() -> None:
    """Writes the rest. The embedded engine ends with its process, so there the last seconds are lost, and so they are
    while the site is only read."""
    if settings.DYNAMODB_ENGINE == "embedded":
        return
    # A process that spent nothing, such as `check`, asks for nothing at its end either.
    if (sums := meter.take()) and not stands_still():
        _write(sums)


def write_sums() -> None:
    """Writes what this process spent since the last time, if anything. Never raises."""
    _write(meter.take())


def _write(sums: meter.Sums) -> None:
    try:
        for sample in _samples(sums):
            write_sample(sample)
    except Exception as error:
        log.warning("what the site spent was not written and is dropped: %s", error)


@access_pattern
def write_sample(sample: CostSample) -> None:
    """Puts what a process spent on a day, of at most 20 kinds: one PutItem, 1 or 2 write units."""
    create(sample)


def _samples(sums: meter.Sums) -> Iterator[CostSample]:
    now = utc_now()
    for day in sorted({spender.day for spender in sums}):
        rows = [
            [
                spender.kind,
                spender.name,
                one.samples,
                round(one.times),
                round(one.reads * 2),
                round(one.writes),
            ]
            for spender, one in sums.items()
            if spender.day == day
        ]
        for start in range(0, len(rows), ROWS_A_SAMPLE):
            yield CostSample.new(
                sample_id=ids.id_at(now, secrets.token_bytes(10)),
                day=day,
                rows=rows[start : start + ROWS_A_SAMPLE],
                ttl=now + SAMPLE_KEPT,
            )

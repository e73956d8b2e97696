"""Whether the site is only read now, and why: the operator said so (`manage.py read_only`, `/moderation/read-only`), a
region only reads, or the engine takes no writes (`socialsite/table/refusals.py`).

The times stand in the site's settings. Each process has a copy of them, so nothing is asked for a request. Pages close
the gate (`closed_while_read_only`); worker, clock, pusher and the sums of costs rest by themselves (`stands_still`).
The operator's own commands write.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from socialsite.clock import utc_now
from socialsite.engine.program import EngineError
from socialsite.site_settings.site_rules import known_site_rules, site_rules
from socialsite.site_settings.site_setup import Maintenance
from socialsite.table import TableError
from socialsite.table.actions import gated, only_reads
from socialsite.table.errors import ReadOnly
from socialsite.table.refusals import refusal_now

TOLD_BEFORE = timedelta(days=1)  # on every page
# The stream keeps its records for a day, and the worker that reads them waits too.
LONGEST = timedelta(hours=20)


class Why(StrEnum):
    """Why the site is only read."""

    PLANNED = "planned"  # by the operator or an admin
    REGION = "region"  # another one writes
    FULL = "full"  # the disk
    REFUSED = "refused"  # the engine takes no writes


@dataclass(frozen=True, slots=True)
class ReadOnlyNow:
    """That the site is only read. `since` and `until` are ISO; `until` is empty if no end is known, and `since` for a
    region. `message` is what the operator says beside it."""

    why: Why
    since: str = ""
    until: str = ""
    message: str = ""

    @property
    def seconds_left(self) -> int:
        """Returns after how many seconds a write is worth another try, at most an hour."""
        if not self.until:
            return 30 if self.why in (Why.FULL, Why.REFUSED) else 300
        left = (datetime.fromisoformat(self.until) - utc_now()).total_seconds()
        return max(1, min(3600, int(left) + 1))


def read_only_now() -> ReadOnlyNow | None:
    """Returns why the site is only read, None while it writes. Costs as `site_rules`, at most once in 10 seconds for
    each process, and as `refusal_now`."""
    with suppress(TableError, EngineError):
        site_rules()
    return _known()


def announced() -> Maintenance | None:
    """Returns the time of reading alone that begins within a day, None without one. Costs nothing."""
    site = known_site_rules()
    ahead = site.maintenance if site else None
    if ahead is None or not ahead.is_ahead:
        return None
    return ahead if datetime.fromisoformat(ahead.begins) - utc_now() <= TOLD_BEFORE else None


def _known() -> ReadOnlyNow | None:
    """Returns the same by what this process knows already."""
    site = known_site_rules()
    plan = site.maintenance if site else None
    if plan and plan.is_on:
        return ReadOnlyNow(Why.PLANNED, plan.begins, plan.told_end, plan.message)
    if only_reads():
        return ReadOnlyNow(Why.REGION)
    if refusal := refusal_now():
        return ReadOnlyNow(Why(refusal.cause), refusal.since)
    return None


def must_not_be_read_only() -> None:
    """Raises `ReadOnly` while the operator lets the site only be read. Costs nothing: it knows the copy alone."""
    site = known_site_rules()
    if site and site.maintenance and site.maintenance.is_on:
        raise ReadOnly("the site is only read for a while")


@contextmanager
def closed_while_read_only() -> Iterator[None]:
    """Refuses every write inside the block, in this thread, while the operator lets the site only be read."""
    with gated(must_not_be_read_only):
        yield


def stands_still() -> bool:
    """Whether work beside the pages waits, as the operator lets the site only be read. Costs as `site_rules`."""
    now = read_only_now()
    return now is not None and now.why == Why.PLANNED

"""Announcing a time in which the site is only read, beginning it at once, and ending it. Each is one transaction with
its entry in the audit log, and passes the gate that it closes. Other processes follow within `SITE_RULES_SECONDS`."""

from datetime import datetime
from typing import Any

from moderation.log.writes import record
from socialsite.clock import utc_now
from socialsite.site_settings.models import SiteMaintenance
from socialsite.site_settings.read_only import LONGEST
from socialsite.site_settings.site_rules import forget_site_rules, read_site_rules
from socialsite.table import Erase, Put, TableError, WriteAction, access_pattern, keys
from socialsite.table.actions import gated


class TooLong(TableError):
    """The worker would be away for longer than the stream keeps its records."""


class NotAhead(TableError):
    """The end is over, or comes before the beginning."""


@access_pattern
def plan_read_only(
    *, by: str, begins: datetime | None = None, ends: datetime | None = None, message: str = ""
) -> None:
    """Lets the site only be read from a moment on, None for now, until another, in place of what was planned before.
    Without an end people are told none, and it ends by itself after 20 hours. What is on already goes on: its 20 hours
    began when it did. `by` is the id of the person who acts, or `OPERATOR`. Raises `TooLong`, `NotAhead`.

    `read_site_rules`, and one TransactWriteItems of SiteMaintenance and the audit entry, 6 write units and 1 read unit.
    """
    now = utc_now()
    begin, plan = max(begins or now, now), read_site_rules().maintenance
    if ends is not None and ends <= begin:
        raise NotAhead("the end has to come after the beginning")
    if plan and plan.is_on and begin == now:
        begin = datetime.fromisoformat(plan.begins)
    if ends is not None and ends - begin > LONGEST:
        raise TooLong(f"{LONGEST.total_seconds() / 3600:.0f} hours at most")
    item = SiteMaintenance(
        *keys.site_maintenance(),
        begins=begin.isoformat(timespec="seconds"),
        ends=(ends or begin + LONGEST).isoformat(timespec="seconds"),
        message=message or None,
        open_ended=ends is None,
    )
    detail = {"begins": item.begins, "banner": message}
    if ends:
        detail["until"] = item.ends
    _write(Put(item), by=by, action="plan read-only", detail=detail)


@access_pattern
def end_read_only(*, by: str) -> None:
    """Ends the time in which the site is only read, or takes back that it comes. Safe to repeat. One TransactWriteItems
    of SiteMaintenance and the audit entry, 6 write units and 1 read unit."""
    _write(Erase(keys.site_maintenance()), by=by, action="end read-only")


def _write(action_item: WriteAction, **entry: Any) -> None:
    try:
        with gated(None):
            record(action_item, **entry)
    finally:
        forget_site_rules()

"""Counts sign-ups, reports, actions and closed cases by day, through the ledger, which counts each once."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from accounts.models import UserInfo
from moderation.cases.services.report import THE_SITE
from moderation.models import ActionKind, Case, CaseAction, CaseReport, DayCount
from moderation.staff.day_counts import (
    ACTIONS,
    ANSWERED,
    CLOSED,
    REPORTS,
    SIGN_UPS,
    day_of,
    step_of,
)
from socialsite.site.default_rules import OTHER
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys
from socialsite.table.errors import AlreadyExists
from socialsite.table.reading import query
from socialsite.table.row import row
from socialsite.table.writing import create

GONE = "gone"  # the decision of a case that closed by itself


@on(UserInfo, "INSERT")
def count_sign_up(change: Change, ledger: Ledger) -> None:
    """Counts a new sign-up. Safe to run twice: the day's count is created once, and the ledger adds to it."""
    info = change.item
    assert isinstance(info, UserInfo)
    _count(ledger, day_of(ids.time_of(info.user_id)), [SIGN_UPS])


@on(CaseReport, "INSERT", "MODIFY")
def count_report(change: Change, ledger: Ledger) -> None:
    """Counts someone's first report in a round of the case. Posts that join their report do not count, and
    neither does a report that loses its reporter. Safe to run twice, as above."""
    report, old = change.item, change.old
    assert isinstance(report, CaseReport)
    if report.erased or (isinstance(old, CaseReport) and old.round == report.round):
        return
    at = datetime.fromisoformat(report.reported_at)
    _count(ledger, day_of(at), [f"{REPORTS}{report.rule_id or OTHER}"])


@on(CaseAction, "INSERT")
def count_action(change: Change, ledger: Ledger) -> None:
    """Counts a moderator's action. Closing a case is counted as such, and is none. Safe to run twice, as above."""
    action = change.item
    assert isinstance(action, CaseAction)
    if action.kind == ActionKind.CLOSE:
        return
    _count(ledger, day_of(ids.time_of(action.action_id)), [f"{ACTIONS}{action.kind}"])


@on(Case, "MODIFY")
def count_closed_case(change: Change, ledger: Ledger) -> None:
    """Counts a closed case, with how long the first answer and the closing took. Takes it off again if an undo reopens
    the case.

    One Query of one item. Safe to run twice: the case's earlier actions no longer change.
    """
    old, new = change.old, change.new
    assert isinstance(old, Case)
    assert isinstance(new, Case)
    if old.escalated_to and not new.escalated_to and new.decision != GONE:
        _count(ledger, *_closing(new))
    elif _is_reopened(old, new) and old.decision != GONE:
        _count(ledger, *_closing(old), times=-1)


def _is_reopened(old: Case, new: Case) -> bool:
    return bool(new.escalated_to and not old.escalated_to and new.opened_at == old.opened_at)


def _closing(case: Case) -> tuple[str, list[str]]:
    opened, closed = datetime.fromisoformat(case.opened_at), datetime.fromisoformat(case.closed_at)
    answered = _first_action(case, opened, closed) or closed
    names = [f"{ANSWERED}{step_of(opened, answered)}", f"{CLOSED}{step_of(opened, closed)}"]
    return day_of(closed), names


def _first_action(case: Case, opened: datetime, closed: datetime) -> datetime | None:
    low, high = (
        keys.case_action(case.kind, case.subject_id, ids.first_id_at(moment))
        for moment in (opened, closed + timedelta(milliseconds=1))
    )
    rows = query(low.pk, between=(low.sk, high.sk), limit=1, consistent=True)
    actions = (row(CaseAction, raw) for raw in rows)
    answers = (action for action in actions if action.moderator_id != THE_SITE)
    first = next(answers, None)
    return ids.time_of(first.action_id) if first else None


def _count(ledger: Ledger, day: str, names: Iterable[str], *, times: int = 1) -> None:
    counters = [DayCount.new(day=day, name=name) for name in names]
    for counter in counters:
        with suppress(AlreadyExists):
            create(counter)
    # Nothing may fail between the entries: a retry would make the first one twice.
    for counter in counters:
        ledger.add(DayCount, counter.key, DayCount.times, times, if_gone=_nothing)


def _nothing() -> None:
    """Does nothing, because day counts are never deleted."""

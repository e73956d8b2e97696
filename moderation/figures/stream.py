"""Counts the year's figures, through the ledger, which counts each once: people's notices, actions and what was taken
back of them, appeals and their answers, how long both took, posts that a filter let wait, and people who were here in a
month.

Cases of erased people expire; these sums stay, and name nobody. Everything counts in the year in which it happened.
What happened before the first count is `checks.py`'s.
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime

from django.conf import settings

from accounts.models import UserSettings
from moderation.cases.effects import WITH_NOTICE
from moderation.figures import names
from moderation.figures.names import name_of
from moderation.figures.reads import counted_since
from moderation.figures.told import (
    Figure,
    held_figure,
    measure_figures,
    notice_figure,
    redress_figures,
)
from moderation.models import (
    ActionKind,
    Case,
    CaseAction,
    CaseKind,
    CaseReport,
    DayCount,
    Strike,
)
from socialsite.streams import Change, Ledger, on, own_part
from socialsite.table import AlreadyExists, create, fetch, keys


@on(CaseReport, "INSERT", "MODIFY")
def count_notice(change: Change, ledger: Ledger) -> None:
    """Counts someone's first report in a round of a case as a notice, or a filter's as what it flagged. As
    `_count`. Safe to run twice: the count is created once, and the ledger adds to it."""
    report, old = change.item, change.old
    assert isinstance(report, CaseReport)
    if report.erased or (isinstance(old, CaseReport) and old.round == report.round):
        return
    _count(ledger, [notice_figure(report)])


@on(CaseAction, "INSERT", "MODIFY")
def count_measure(change: Change, ledger: Ledger) -> None:
    """Counts an action, and after a notice how long it took. Takes off again what nobody was told of and was undone, as
    a post that waits anew. As `_count`. Safe to run twice, as above."""
    action, old = change.item, change.old
    assert isinstance(action, CaseAction)
    if not isinstance(old, CaseAction):
        _count(ledger, measure_figures(action))
    elif action.undone_at and not old.undone_at and ActionKind(action.kind) not in WITH_NOTICE:
        _count(ledger, measure_figures(action), times=-1)


@on(Strike, "MODIFY")
def count_redress(change: Change, ledger: Ledger) -> None:
    """Counts an appeal, its answer and how long that took, and an action that was taken back. As `_count`. Safe to run
    twice, as above."""
    strike, old = change.item, change.old
    assert isinstance(strike, Strike)
    assert isinstance(old, Strike)
    before = {name for _, name in redress_figures(old)}
    _count(ledger, [one for one in redress_figures(strike) if one[1] not in before])


@on(Case, "INSERT", "MODIFY")
def count_held(change: Change, ledger: Ledger) -> None:
    """Counts a post that a filter let wait for a moderator, again if an edit made it wait anew. As `_count`. Safe to
    run twice, as above."""
    case, old = change.item, change.old
    assert isinstance(case, Case)
    is_known = isinstance(old, Case) and old.round == case.round
    if case.kind == CaseKind.POST and not is_known and not case.appealed:
        _count(ledger, [held_figure(case)])


@on(UserSettings, "INSERT", "MODIFY")
def count_active_month(change: Change, ledger: Ledger) -> None:
    """Counts a person on the first of their signed-in requests of a month. As `_count`. Safe to run twice, as above. It
    keeps a number and no names: the day in a person's settings was there before. With `COST_SAMPLE=0`, which counts
    nobody who is here, this counts nobody either."""
    new, old = change.item, change.old
    assert isinstance(new, UserSettings)
    month = str(new.seen or "")[:7]
    if (
        not settings.COST_SAMPLE
        or not month
        or (isinstance(old, UserSettings) and str(old.seen or "")[:7] == month)
    ):
        return
    at = datetime.fromisoformat(str(new.seen)[:10]).replace(tzinfo=UTC)
    _add(ledger, [(at, name_of(names.ACTIVE, month[5:]))], 1)


def _count(ledger: Ledger, figures: Iterable[Figure], *, times: int = 1) -> None:
    """Enters what happened since counting began. One consistent BatchGetItem, 1 read unit for each figure and 0.5 for
    that moment; 1 write unit for the first of its name in a year, and 2 with the batch's sums for each."""
    found = list(figures)
    if not found:
        return
    since = counted_since(begin=min(at for at, _ in found))
    _add(ledger, [one for one in found if one[0] >= since], times)


def _add(ledger: Ledger, figures: Iterable[Figure], times: int) -> None:
    part = own_part(keys.COUNT_PARTS)
    counters = [
        DayCount.of_year(year=str(at.astimezone(UTC).year), name=name, part=part)
        for at, name in figures
    ]
    present = fetch([counter.key for counter in counters], consistent=True)
    for counter in counters:
        if counter.key not in present:
            with suppress(AlreadyExists):
                create(counter)
    # Nothing may fail between the entries: a retry would make the first one twice.
    for counter in counters:
        ledger.add(DayCount, counter.key, DayCount.times, times, if_gone=_nothing)


def _nothing() -> None:
    """Does nothing, because the counts of a year are never deleted."""

"""Counts what happened before counting began, from the cases that are still there: `manage.py reconcile` does it.

The worker counts what happens since a moment (`counted_since`); this counts what happened before it, and writes it
beside the worker's counts, so nothing counts twice. What expired before it was ever counted is not there any more. A
repeated count never makes less of what was found before.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

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
from moderation.models import ActionKind, Case, CaseAction, CaseKind, CaseReport, DayCount, Strike
from socialsite.clock import utc_now
from socialsite.table import Item, RawItem, access_pattern, fetch, row, write_batch

OF_MODERATION = (CaseReport, CaseAction, Strike, Case)


@dataclass
class PastFigures:
    """Give it every item with `add`, then `mend`."""

    since: datetime = field(default_factory=lambda: counted_since(begin=utc_now()))
    found: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, raw: RawItem) -> None:
        for at, name in _figures(raw):
            if at < self.since:
                self.found[str(at.astimezone(UTC).year), name] += 1

    def add_items(self, items: Iterable[Item]) -> None:
        """As `add`, of items that were just made."""
        for item in items:
            if isinstance(item, OF_MODERATION):
                self.add(item.serialize())

    @access_pattern
    def mend(self) -> Iterator[str]:
        """Writes what was found, if it is more than before, and yields a line for each. Safe to repeat. A consistent
        BatchGetItem, 1 read unit each, and BatchWriteItem, 1 write unit each."""
        wanted = [
            DayCount.of_year(year=year, name=name_of(names.PAST, name), times=times)
            for (year, name), times in sorted(self.found.items())
        ]
        present = fetch([count.key for count in wanted], consistent=True)
        for count in wanted:
            stored = int(row(DayCount, present[count.key]).times) if count.key in present else 0
            if stored < int(count.times):
                write_batch(puts=[count])
                yield f"{count.pk} {count.name}: {stored} → {count.times}"


def _figures(raw: RawItem) -> list[Figure]:
    match raw.get("type", {}).get("S", ""):
        case CaseReport.__name__:
            return [notice_figure(row(CaseReport, raw))]
        case CaseAction.__name__:
            action = row(CaseAction, raw)
            is_none = action.undone_at and ActionKind(action.kind) not in WITH_NOTICE
            return [] if is_none else measure_figures(action)
        case Strike.__name__:
            return redress_figures(row(Strike, raw))
        case Case.__name__:
            case = row(Case, raw)
            return [held_figure(case)] if case.kind == CaseKind.POST else []
    return []

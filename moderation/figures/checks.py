"""Counts what happened before counting began, from the cases that are still there: `manage.py reconcile` does it.

The worker counts what happens since a moment (`counted_since`); this counts what happened before it, and writes it
beside the worker's counts, so nothing counts twice. What expired before it was ever counted is not there any more.
It is done once: later, fewer of those cases are there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from moderation.cases.effects import WITH_NOTICE
from moderation.cases.reads import THE_SITE
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
from socialsite.table import Item, RawItem, access_pattern, as_model, fetch, row, write_batch

OF_MODERATION = (CaseReport, CaseAction, Strike, Case)
DONE = "counted-before"  # beside the moment since which the worker counts: the past was counted


@dataclass
class PastFigures:
    """Give it every item with `add`, then `mend`."""

    since: datetime = field(default_factory=lambda: counted_since(begin=utc_now()))
    told: list[Figure] = field(default_factory=list)
    actions: list[CaseAction] = field(default_factory=list)
    reported: set[tuple[str, int]] = field(default_factory=set)  # rounds of cases, by people

    def add(self, raw: RawItem) -> None:
        match raw.get("type", {}).get("S", ""):
            case CaseReport.__name__:
                report = row(CaseReport, raw)
                self.told.append(notice_figure(report))
                if report.reporter_id != THE_SITE:
                    self.reported.add((raw["PK"]["S"], int(report.round)))
            case CaseAction.__name__:
                self.actions.append(as_model(CaseAction, raw))
            case Strike.__name__:
                self.told += redress_figures(row(Strike, raw))
            case Case.__name__ if raw["kind"]["S"] == CaseKind.POST:
                self.told.append(held_figure(row(Case, raw)))

    def add_items(self, items: Iterable[Item]) -> None:
        """As `add`, of items that were just made."""
        for item in items:
            if isinstance(item, OF_MODERATION):
                self.add(item.serialize())

    def found(self) -> Counter[tuple[str, str]]:
        """Returns how often each figure is told of the past, by year and name. Of older actions nobody noted whether
        people had reported: the reports that are still there say so."""
        told = list(self.told)
        for action in self.actions:
            if action.undone_at and ActionKind(action.kind) not in WITH_NOTICE:
                continue
            is_noticed = (action.pk, int(action.round or 0)) in self.reported
            told += measure_figures(action, is_noticed=is_noticed)
        return Counter((str(at.astimezone(UTC).year), name) for at, name in told if at < self.since)

    @access_pattern
    def mend(self) -> Iterator[str]:
        """Writes what was found, once for a site, and yields a line for each. Safe to repeat: what was written by a run
        that was cut off is written anew. One consistent BatchGetItem, 1 read unit, and 1 write unit for each."""
        done = DayCount.of_year(year=names.SINCE_YEAR, name=DONE)
        if fetch([done.key], consistent=True):
            return
        for (year, name), times in sorted(self.found().items()):
            write_batch(
                puts=[DayCount.of_year(year=year, name=name_of(names.PAST, name), times=times)]
            )
            yield f"{year} {name}: {times}"
        write_batch(puts=[done])

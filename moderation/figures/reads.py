"""The figures of a year, and since when they are counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from moderation.figures import names
from moderation.figures.names import summed, total
from moderation.models import ActionKind, DayCount
from moderation.staff.overview import DURATIONS, median_step
from socialsite.clock import utc_now
from socialsite.table import AlreadyExists, access_pattern, create, fetch, keys, row
from socialsite.table.reading import query_all
from socialsite.table.transport.requests import query_request

MARGIN = timedelta(minutes=1)
FEWEST = 5  # a group with less is not told by name
MONTHS_A_YEAR = 12
NO_MEASURES = {ActionKind.DISMISS, ActionKind.CLOSE, ActionKind.RELEASE, ActionKind.APPROVE}


@access_pattern
def counted_since(*, begin: datetime | None = None) -> datetime:
    """Returns the moment since which the worker counts, now if it never did. With `begin` counting begins then, if it
    has not begun before. One consistent BatchGetItem, 1 read unit; 1 write unit the first time."""
    found = _since()
    if found is None and begin:
        mark = DayCount.of_year(year=names.SINCE_YEAR, name=names.SINCE)
        mark.day = (begin - MARGIN).isoformat()  # what was written together has several moments
        with suppress(AlreadyExists):
            create(mark)
        found = _since()
    return found or utc_now()


def _since() -> datetime | None:
    key = keys.year_count(names.SINCE_YEAR, names.SINCE)
    raw = fetch([key], consistent=True).get(key)
    return datetime.fromisoformat(row(DayCount, raw).day) if raw else None


@access_pattern
def get_counts(year: str) -> Counter[str]:
    """Returns all counts of a year by name, those from before counting began among them. Query `PK = figures#<year>`,
    and of each of its 16 parts, together: at most some hundred small items in each, 0.5 read units per 4 KB."""
    counts: Counter[str] = Counter()
    requests = [query_request(part) for part in keys.parts_of(keys.year_counts(year))]
    for raw in chain.from_iterable(query_all(requests)):
        count = row(DayCount, raw)
        counts[count.name.removeprefix(f"{names.PAST}.")] += int(count.times)
    return counts


Rows = Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Measure:
    """A kind of action: how many, and of these after a notice, by a filter, and taken back."""

    kind: str
    times: int
    noticed: int
    by_filter: int
    taken_back: int


@dataclass(frozen=True, slots=True)
class Automation:
    """What filters did, and how much of it people found wrong: `rate` in percent, None where nothing was decided."""

    decided: int
    wrong: int

    @property
    def rate(self) -> float | None:
        return round(100 * self.wrong / self.decided, 1) if self.decided else None


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a year, as the page and the CSV tell them. Rows are the largest first; `small` of them are those
    that less than five are in, summed up so that nobody is found by them."""

    year: str
    counts: Mapping[str, int]

    def rows(self, what: str, part: int) -> Rows:
        return hide_small(summed(self._taken(what), what, part))

    def all(self, what: str, **where: str) -> int:
        at = (
            {"kind": 0, "source": 2, "by": 3}
            if what == names.ACTIONS
            else {"kind": 0, "by": 1, "why": 2}
        )
        return total(
            self._taken(what), what, where={at[name]: value for name, value in where.items()}
        )

    @property
    def measures(self) -> list[Measure]:
        """Returns the kinds of actions, the most frequent first."""
        return [
            Measure(
                kind,
                times,
                self.all(names.ACTIONS, kind=kind, source=names.NOTICE) if kind else 0,
                self.all(names.ACTIONS, kind=kind, by=names.BY_FILTER) if kind else 0,
                self.all(names.TAKEN_BACK, kind=kind) if kind else 0,
            )
            for kind, times in self.rows(names.ACTIONS, 0)
        ]

    @property
    def dismissed(self) -> int:
        """Returns how many cases ended as no rule was broken."""
        return total(self.counts, names.ACTIONS, where={0: ActionKind.DISMISS})

    @property
    def effects(self) -> Automation:
        """Returns what filters did to accounts, and what of it an appeal took back."""
        return Automation(
            self.all(names.ACTIONS, by=names.BY_FILTER),
            self.all(names.TAKEN_BACK, by=names.BY_FILTER, why=names.AFTER_APPEAL),
        )

    @property
    def held(self) -> Automation:
        """Returns how many held posts moderators decided about, and how many of them broke no rule."""
        kinds = [
            total(self.counts, names.ACTIONS, where={0: kind})
            for kind in (ActionKind.RELEASE, ActionKind.REFUSE)
        ]
        return Automation(sum(kinds), kinds[0])

    def median(self, what: str) -> str:
        """Returns the step of `DURATIONS` in which the median lies, empty without any."""
        return median_step(summed(self.counts, what, 0))

    @property
    def users(self) -> int | None:
        """Returns the average number of people who were here in a month, of those months that were counted; what staff
        entered where that is none."""
        months = summed(self.counts, names.ACTIVE, 0)
        return round(months.total() / len(months)) if months else self.typed(names.USERS)

    @property
    def users_are_counted(self) -> bool:
        return bool(summed(self.counts, names.ACTIVE, 0))

    def typed(self, name: str) -> int | None:
        """Returns a number that staff entered, None if they did not: a report must not say 0 for that."""
        return self.counts.get(names.name_of(names.TYPED, name))

    def _taken(self, what: str) -> Mapping[str, int]:
        """Returns the counts without what is no measure against anyone."""
        if what != names.ACTIONS:
            return self.counts
        beginnings = tuple(f"{names.ACTIONS}.{kind}." for kind in NO_MEASURES)
        return {
            name: times for name, times in self.counts.items() if not name.startswith(beginnings)
        }


def hide_small(counts: Mapping[str, int]) -> Rows:
    """Returns the counts, the largest first. Those below five become one without a name: who knows a person that was
    reported or restricted would read from a small number that it is about them."""
    large = sorted(
        ((name, times) for name, times in counts.items() if times >= FEWEST),
        key=lambda one: (-one[1], one[0]),
    )
    small = sum(times for times in counts.values() if 0 < times < FEWEST)
    return [*large, *([("", small)] if small else [])]


@access_pattern
def get_figures(year: str) -> Figures:
    """Returns the figures of a year. As `get_counts`."""
    return Figures(year, get_counts(year))


def bounds_of(step: str) -> tuple[int, int]:
    """Returns the seconds between which a step lies; its end is 0 for the last one."""
    names_of_steps = list(DURATIONS)
    if step not in DURATIONS:
        return DURATIONS[names_of_steps[-1]], 0
    number = names_of_steps.index(step)
    return (DURATIONS[names_of_steps[number - 1]] if number else 0), DURATIONS[step]


def list_years() -> list[str]:
    """Returns the years that have figures, newest first. Costs as `counted_since`."""
    this, first = utc_now().year, counted_since().year
    return [
        str(year) for year in range(this, min(first, this) - 2, -1)
    ]  # the year before may be counted afterwards

"""Numbers about moderation: waiting cases, how long decisions take, and the reports and actions of the last 30 days."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain

from accounts.permissions import staff_among
from moderation.models import DayCount
from moderation.staff.ages import count_ages
from moderation.staff.by_moderator import ByModerator, by_moderator, count_closed
from moderation.staff.day_counts import ACTIONS, ANSWERED, CLOSED, REPORTS, SIGN_UPS, median_step
from moderation.staff.waiting import Waiting, list_waiting
from socialsite.clock import utc_now
from socialsite.site.site_rules import rule_of
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query_all
from socialsite.table.row import row
from socialsite.table.transport.requests import query_request

DAYS = 30

Totals = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    sign_ups: int
    reports: int
    actions: int


@dataclass(frozen=True, slots=True)
class Overview:
    """`rules` and `actions` are the most frequent ones, with their numbers. `answered` and `closed` are the median
    steps (`day_counts.py`), `ages` those of `ages.py` with the open cases of each."""

    queues: list[Waiting]
    desks: Waiting
    days: list[Day]
    rules: list[tuple[str, int]]
    actions: list[tuple[str, int]]
    cases_closed: int
    answered: str
    closed: str
    ages: list[tuple[str, int]]
    moderators: ByModerator

    @property
    def open_cases(self) -> str:
        """Returns how many cases are open, in queues and on desks."""
        count = sum(one.count for one in (*self.queues, self.desks))
        return str(count) if self.counts_all else f"{count}+"

    @property
    def counts_all(self) -> bool:
        """Whether every open case was counted."""
        return not any(one.has_more for one in (*self.queues, self.desks))


@access_pattern
def get_overview() -> Overview:
    """As `list_waiting`, `staff_among` for those who have a desk, and `count_closed`; and a Query of the day counts for
    each month of the last 30 days, asked together, 0.5 read units per 4 KB. No more calls for more staff or cases."""
    days, waiting = _last_days(), list_waiting()
    queues, desks = list(waiting.queues.values()), _on_desks(waiting.desks.values())
    counts = _counts(days)
    total: Counter[str] = Counter()
    for of_day in counts.values():
        total.update(of_day)
    return Overview(
        queues=queues,
        desks=desks,
        days=[_day(day, counts[day.isoformat()]) for day in days],
        rules=[(rule_of(name).reason, times) for name, times in _ranked(total, REPORTS)],
        actions=_ranked(total, ACTIONS),
        cases_closed=sum(_under(total, CLOSED).values()),
        answered=median_step(_under(total, ANSWERED)),
        closed=median_step(_under(total, CLOSED)),
        ages=count_ages(
            (moment for one in (*queues, desks) for moment in one.opened), now=utc_now()
        ),
        moderators=by_moderator(
            count_closed(days[0].isoformat(), _months(days)[::-1]),
            staff_among(waiting.desks),
            {user_id: desk.count_text for user_id, desk in waiting.desks.items()},
        ),
    )


def _last_days() -> list[date]:
    today = utc_now().date()
    return [today - timedelta(days=before) for before in reversed(range(DAYS))]


def _months(days: list[date]) -> list[str]:
    return sorted({day.isoformat()[:7] for day in days})  # three on 1 March, with all of February


def _counts(days: list[date]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {day.isoformat(): Counter() for day in days}
    between = keys.days_between(days[0], days[-1])
    requests = [query_request(keys.day_counts(month), between=between) for month in _months(days)]
    for raw in chain.from_iterable(query_all(requests)):
        count = row(DayCount, raw)
        counts[count.day][count.name] += int(count.times)
    return counts


def _day(day: date, counts: Totals) -> Day:
    return Day(
        day=day,
        sign_ups=counts.get(SIGN_UPS, 0),
        reports=sum(_under(counts, REPORTS).values()),
        actions=sum(_under(counts, ACTIONS).values()),
    )


def _under(counts: Totals, beginning: str) -> dict[str, int]:
    return {
        name.removeprefix(beginning): max(times, 0)
        for name, times in counts.items()
        if name.startswith(beginning)
    }


def _ranked(counts: Totals, beginning: str) -> list[tuple[str, int]]:
    found = _under(counts, beginning).items()
    return sorted(found, key=lambda one: (-one[1], one[0]))


def _on_desks(desks: Iterable[Waiting]) -> Waiting:
    desks = list(desks)
    return Waiting(
        place="",
        count=sum(desk.count for desk in desks),
        has_more=any(desk.has_more for desk in desks),
        oldest=min((desk.oldest for desk in desks if desk.oldest), default=""),
        opened=tuple(moment for desk in desks for moment in desk.opened),
    )

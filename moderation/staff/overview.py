"""Numbers about moderation: waiting cases, how long decisions take, and the reports and actions of the last 30 days."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from accounts.permissions import list_staff
from moderation.models import Case, DayCount, Queue
from moderation.staff.ages import count_ages
from moderation.staff.by_moderator import ByModerator, by_moderator, count_closed
from moderation.staff.day_counts import ACTIONS, ANSWERED, CLOSED, REPORTS, SIGN_UPS, median_step
from socialsite.clock import utc_now
from socialsite.site.site_rules import rule_of
from socialsite.table import keys
from socialsite.table.item import escalated_index_name
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, query, query_index, query_index_all
from socialsite.table.row import row
from socialsite.table.transport.requests import index_request
from socialsite.web.ago import ago

DAYS = 30
MOST_COUNTED = 200  # open cases of one queue
MOST_DESKS = 50

Totals = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The open cases of a queue, or all assigned ones (`name` is empty)."""

    name: str
    count: int
    has_more: bool
    oldest: str  # when the oldest case was opened, ISO
    opened: tuple[str, ...] = ()  # when those that were counted were opened

    @property
    def count_text(self) -> str:
        return f"{self.count}+" if self.has_more else str(self.count)

    @property
    def oldest_ago(self) -> str:
        return ago(datetime.fromisoformat(self.oldest)) if self.oldest else ""


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
    """Four Queries of `escalatedIndex` and one for each of at most 50 moderators, asked together, 0.5 read units per
    4 KB of at most 201 open cases each, and 21 more where there are more cases; as `list_staff`; one to three Queries
    of the day counts; as `count_closed`."""
    days = _last_days()
    staff = list_staff()
    on_desks = staff[:MOST_DESKS]
    waiting = _waiting_in(
        *((queue, keys.queue(queue)) for queue in Queue),
        *(("", keys.desk(one.user_id)) for one in on_desks),
    )
    queues = waiting[: len(Queue)]
    of_desks = {
        one.user_id: desk for one, desk in zip(on_desks, waiting[len(Queue) :], strict=True)
    }
    desks = _on_desks(list(of_desks.values()))
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
            staff,
            {user_id: desk.count_text for user_id, desk in of_desks.items()},
        ),
    )


def _last_days() -> list[date]:
    today = utc_now().date()
    return [today - timedelta(days=before) for before in reversed(range(DAYS))]


def _months(days: list[date]) -> list[str]:
    return sorted({day.isoformat()[:7] for day in days})  # three on 1 March, with all of February


def _counts(days: list[date]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {day.isoformat(): Counter() for day in days}
    for month in _months(days):
        for raw in query(keys.day_counts(month)):
            count = row(DayCount, raw)
            if count.day in counts:
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


def _waiting_in(*named: tuple[str, str]) -> list[Waiting]:
    """Returns what waits in each partition, by its name."""
    requests = [
        index_request(escalated_index_name, partition, forward=True, limit=MOST_COUNTED + 1)
        for _, partition in named
    ]
    found = zip(named, query_index_all(requests), strict=True)
    return [_waiting(name, partition, rows) for (name, partition), rows in found]


def _waiting(name: str, partition: str, rows: list[RawItem]) -> Waiting:
    counted = tuple(row(Case, raw).opened_at for raw in rows[:MOST_COUNTED])
    has_more = len(rows) > MOST_COUNTED
    if has_more:  # sorted by severity and reporters first, so the oldest is the first of a stretch
        bounds = keys.queue_stretches()
        rows = [
            raw
            for between in bounds
            for raw in query_index(
                escalated_index_name, partition, between=between, forward=True, limit=1
            )
        ]
    opened = [row(Case, raw).opened_at for raw in rows]
    return Waiting(name, len(counted), has_more, min(opened, default=""), counted)


def _on_desks(desks: list[Waiting]) -> Waiting:
    return Waiting(
        name="",
        count=sum(desk.count for desk in desks),
        has_more=any(desk.has_more for desk in desks),
        oldest=min((desk.oldest for desk in desks if desk.oldest), default=""),
        opened=tuple(moment for desk in desks for moment in desk.opened),
    )

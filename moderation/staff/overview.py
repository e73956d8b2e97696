"""Numbers about moderation: waiting cases and their age, how long decisions take, the counts of the last 30 days, how
many posts met a word filter, what each moderator has done (to share work out, not to compare people), and small SVG
plots, whose colour and size come from the page, so they suit light, dark and print.

The stream worker counts each day. Durations are counted in steps, so a few numbers give the median of any number of
cases.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import chain, islice
from statistics import median

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.people.cards import PersonCard
from accounts.permissions import staff_among
from moderation.models import ClosedCase, DayCount
from moderation.staff.waiting import Waiting, list_waiting
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import rule_of
from socialsite.table import access_pattern, keys, row
from socialsite.table.reading import query_all
from socialsite.table.transport.requests import query_request

SIGN_UPS = "sign-ups"
REPORTS = "reports."  # and the rule
ACTIONS = "actions."  # and the kind
ANSWERED = "answered."  # and within how long after the case was opened
CLOSED = "closed."

HOUR, DAY = 3600, 86_400
LONGER = "longer"
DURATIONS: Mapping[str, int] = {
    "15m": HOUR // 4,
    "1h": HOUR,
    "2h": 2 * HOUR,
    "4h": 4 * HOUR,
    "8h": 8 * HOUR,
    "1d": DAY,
    "2d": 2 * DAY,
    "4d": 4 * DAY,
    "1w": 7 * DAY,
    "2w": 14 * DAY,
    "4w": 28 * DAY,
}


def step_of(began: datetime, ended: datetime) -> str:
    """Returns the step in which a duration falls."""
    seconds = (ended - began).total_seconds()
    return next((name for name, most in DURATIONS.items() if seconds <= most), LONGER)


def median_step(counts: Mapping[str, int]) -> str:
    """Returns the step that contains the median, empty if nothing was counted."""
    total = sum(counts.values())
    so_far = 0
    for name in (*DURATIONS, LONGER):
        so_far += counts.get(name, 0)
        if total and so_far * 2 >= total:
            return name
    return ""


def day_of(moment: datetime) -> str:
    """Returns the day in UTC, as keys contain it."""
    return moment.astimezone(UTC).date().isoformat()


AGES = {
    "1h": timedelta(hours=1),
    "8h": timedelta(hours=8),
    "1d": timedelta(days=1),
    "3d": timedelta(days=3),
}
OLDER = "more"


def count_ages(opened: Iterable[datetime], now: datetime) -> list[tuple[str, int]]:
    """Returns how many of the cases opened at these moments are of each age, the youngest first."""
    counts = Counter(_age_of(now - moment) for moment in opened)
    return [(name, counts[name]) for name in (*AGES, OLDER)]


def _age_of(age: timedelta) -> str:
    return next((name for name, most in AGES.items() if age < most), OLDER)


MOST_CLOSED = 1000  # newest closings that are read


@dataclass(frozen=True, slots=True)
class Closed:
    """How many cases were closed, by moderator, and whether there were more than are read."""

    by_id: Mapping[str, int]
    has_more: bool


@dataclass(frozen=True, slots=True)
class OfModerator:
    person: PersonCard
    closed: int
    assigned: str  # a number, with "+" if there are more


@dataclass(frozen=True, slots=True)
class ByModerator:
    """`rows` are the staff by name, `others` the cases that the site itself or former staff closed."""

    rows: list[OfModerator]
    others: int
    has_more: bool

    @property
    def median(self) -> float:
        """Returns how many cases half of those who closed any closed at most."""
        return median([one.closed for one in self.rows if one.closed] or [0])


@access_pattern
def count_closed(since: str, months: Sequence[str]) -> Closed:
    """Counts the cases closed since a moment by moderator, in these months, the latest first. A case that was opened
    again and closed again counts twice.

    A Query of `closed#<month>` for each month, asked together, of at most 1,001 cases each: 0.5 read units per 4 KB.
    """
    requests = [
        query_request(
            keys.closed_cases(month),
            between=keys.closed_since(since),
            forward=False,
            limit=MOST_CLOSED + 1,
        )
        for month in months
    ]
    newest = islice(chain.from_iterable(query_all(requests)), MOST_CLOSED + 1)
    closings = [row(ClosedCase, raw).moderator_id for raw in newest]
    return Closed(Counter(closings[:MOST_CLOSED]), len(closings) > MOST_CLOSED)


def by_moderator(
    closed: Closed, staff: Sequence[PersonCard], assigned: Mapping[str, str]
) -> ByModerator:
    """Returns a row for each of the staff, in the order given. `assigned` holds the cases on each desk."""
    rows = [
        OfModerator(one, closed.by_id.get(one.user_id, 0), assigned.get(one.user_id, "0"))
        for one in staff
    ]
    others = sum(closed.by_id.values()) - sum(one.closed for one in rows)
    return ByModerator(rows, others, closed.has_more)


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
    steps (`DURATIONS`), `ages` those of `AGES` with the open cases of each."""

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
    """Returns what waits and since when, how long it takes, and what each moderator closed in the last 30 days. As
    `list_waiting`, `staff_among` for those who have a desk, and `count_closed`; and 17 Queries of the day counts for
    each month of the last 30 days, asked together, 0.5 read units per 4 KB. In all 9 read units, 17 where the days are
    of two months, 0.5 for each of the staff, and 0.5 per 4 KB of the days. No more calls for more staff or cases."""
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
    requests = [
        query_request(part, between=between)
        for month in _months(days)
        for part in keys.parts_of(keys.day_counts(month))
    ]
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


WEEKS = 12
KEPT_DAYS = 7 * (WEEKS + 1)


@dataclass(frozen=True, slots=True)
class Week:
    """Seven days in UTC, and how many posts met the filter in them."""

    begin: date
    times: int


@access_pattern
def get_word_hits(rule_id: str) -> list[Week]:
    """Returns how often a word filter was met in each of the last 12 weeks, the oldest first. The last ends today.

    Query `PK = hits#<word>` from the first day on, and of each of its 16 parts, together: at most 84 items in each, 0.5
    or 1 read unit.
    """
    today = utc_now().date()
    first = today - timedelta(days=7 * WEEKS - 1)
    times = [0] * WEEKS
    days = first.isoformat(), today.isoformat()
    parts = keys.parts_of(keys.word_hits(rule_id))
    for raw in chain.from_iterable(query_all([query_request(one, between=days) for one in parts])):
        hits = row(DayCount, raw)
        times[(date.fromisoformat(hits.day) - first).days // 7] += int(hits.times)
    return [Week(first + timedelta(days=7 * n), one) for n, one in enumerate(times)]


WIDTH, HEIGHT = 300, 60
GAP = 0.3  # of a bar's share of the width
BASE = 1  # the height of an empty bar, so that each day is visible


def bar_plot(values: Sequence[int], *, title: str) -> SafeString:
    """Returns a plot with one bar for each value, from left to right, the greatest as high as the plot. Screen readers
    read `title` instead. Put the numbers themselves into a table beside it."""
    most = max(values, default=0) or 1
    step = WIDTH / max(len(values), 1)
    bars = format_html_join(
        "\n",
        '<rect x="{}" y="{}" width="{}" height="{}" fill="currentColor"/>',
        (_bar(number, value, most, step) for number, value in enumerate(values)),
    )
    return format_html(
        '<svg class="plot" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img"><title>{}</title>\n{}</svg>',
        WIDTH,
        HEIGHT,
        title,
        bars,
    )


def _bar(number: int, value: int, most: int, step: float) -> tuple[str, str, str, str]:
    height = BASE + (HEIGHT - BASE) * max(value, 0) / most
    left = (number + GAP / 2) * step
    return f"{left:.2f}", f"{HEIGHT - height:.2f}", f"{step * (1 - GAP):.2f}", f"{height:.2f}"

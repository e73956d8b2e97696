"""What waits now: the open cases of each queue and each desk, as they were counted last.

The clock counts again after each change (`recount.py`), so pages read all counts with one Query.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from moderation.models import Case, CaseKind, Queue, WaitingCount
from socialsite.models import Staff
from socialsite.table import keys
from socialsite.table.item import escalated_index_name
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, query, query_index_all
from socialsite.table.row import row
from socialsite.table.transport.requests import index_request
from socialsite.web.ago import ago

MOST_COUNTED = 200  # open cases of one place


@dataclass(frozen=True, slots=True)
class Waiting:
    """The open cases of a queue, of the desk of a moderator (`place` is their id), or of all desks (`place` is empty).
    `to_answer` counts each as often as it has appeals."""

    place: str
    count: int = 0
    has_more: bool = False
    to_answer: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    oldest: str = ""  # when the oldest case was opened, ISO
    opened: tuple[datetime, ...] = ()  # when those that were counted were opened, to the minute

    @property
    def count_text(self) -> str:
        return f"{self.count}+" if self.has_more else str(self.count)

    @property
    def oldest_ago(self) -> str:
        return ago(datetime.fromisoformat(self.oldest)) if self.oldest else ""

    def of_kinds(self, kinds: Iterable[CaseKind]) -> int:
        """Returns how many cases are of one of these kinds."""
        return sum(self.kinds.get(kind, 0) for kind in kinds)


@dataclass(frozen=True, slots=True)
class WaitingNow:
    """Each queue by its name, and the desk of each member of staff by their id."""

    queues: Mapping[Queue, Waiting]
    desks: Mapping[str, Waiting]


@access_pattern
def list_waiting() -> WaitingNow:
    """Returns what waits in every queue and on every desk, as the clock counted it last.

    One Query `PK = waiting`, 0.5 read units per 4 KB. While the clock has not counted all queues once, as on a site
    older than the counts, it counts here and now: a Query of the staff more, and what `count_now` costs.
    """
    found = {row(WaitingCount, raw).place: _as_kept(raw) for raw in query(keys.waiting())}
    if not found.keys() >= set(Queue):
        staff = [row(Staff, raw).user_id for raw in query(keys.staff())]
        found = {one.place: one for one in count_now([*Queue, *staff])}
    return WaitingNow({queue: found.pop(queue) for queue in Queue}, found)


@access_pattern
def count_now(places: Sequence[str]) -> list[Waiting]:
    """Counts the open cases of these queues, and of the desks of these moderators.

    A Query of `escalatedIndex` for each, asked together, 0.5 read units per 4 KB of at most 201 cases, and 21 more
    where there are more cases.
    """
    requests = [
        index_request(
            escalated_index_name, partition_of_place(place), forward=True, limit=MOST_COUNTED + 1
        )
        for place in places
    ]
    found = zip(places, query_index_all(requests), strict=True)
    return [_counted(place, rows) for place, rows in found]


def partition_of_place(place: str) -> str:
    """Returns the partition of `escalatedIndex` that holds the cases of a queue, or of a moderator's desk."""
    return keys.queue(place) if place in set(Queue) else keys.desk(place)


def _counted(place: str, rows: list[RawItem]) -> Waiting:
    cases = [row(Case, raw) for raw in rows[:MOST_COUNTED]]
    has_more = len(rows) > MOST_COUNTED
    opened = [case.opened_at for case in cases]
    first = _first_of_stretches(place) if has_more else []
    return Waiting(
        place,
        len(cases),
        has_more,
        sum(max(1, int(case.appeals or 0)) for case in cases),
        Counter(case.kind for case in cases),
        min([*opened, *first], default=""),
        tuple(map(datetime.fromisoformat, opened)),
    )


def _first_of_stretches(place: str) -> list[str]:
    """Cases are sorted by severity and reporters first, so the oldest is the first one of a stretch."""
    partition = partition_of_place(place)
    requests = [
        index_request(escalated_index_name, partition, between=between, forward=True, limit=1)
        for between in keys.queue_stretches()
    ]
    return [row(Case, raw).opened_at for rows in query_index_all(requests) for raw in rows]


def _as_kept(raw: RawItem) -> Waiting:
    kept = row(WaitingCount, raw)
    return Waiting(
        kept.place,
        int(kept.cases),
        kept.has_more,
        int(kept.to_answer),
        kept.kinds or {},
        kept.oldest or "",
        tuple(_moments(kept)),
    )


def _moments(kept: WaitingCount) -> Iterator[datetime]:
    if kept.oldest and kept.opened:
        oldest = datetime.fromisoformat(kept.oldest)
        yield from (oldest + timedelta(minutes=int(after)) for after in kept.opened.split())

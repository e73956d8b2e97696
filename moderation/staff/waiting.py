"""What waits now: the open cases of each queue and each desk, as they were counted last, so pages read all counts with
one Query.

The clock counts again after each change, because the stream worker may read neither the queue nor who is on the staff:
at once, and again a minute later, when the index has surely caught up. What one count missed, the next one mends.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pynamodb.expressions.update import Action

from moderation.models import Case, CaseKind, Queue, WaitingCount
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.models import Due
from socialsite.due.work import plan
from socialsite.models import Staff
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import (
    Delete,
    Moved,
    RawItem,
    Upsert,
    access_pattern,
    escalated_index_name,
    fetch,
    keys,
    query,
    row,
    transact,
    write_batch,
    write_optimistically,
)
from socialsite.table.reading import query_index_all
from socialsite.table.transport.requests import index_request
from socialsite.web.preferences import ago

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
    oldest_urgent: str = (
        ""  # when the oldest urgent one was opened, ISO; urgent ones are counted first
    )

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
    """Returns what waits in every queue and on every desk, as the clock counted it last. The navigation and tabs of
    staff ask once in 10 seconds in each process.

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
        min((case.opened_at for case in cases if int(case.severity) == URGENT), default=""),
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
        kept.oldest_urgent or "",
    )


def _moments(kept: WaitingCount) -> Iterator[datetime]:
    if kept.oldest and kept.opened:
        oldest = datetime.fromisoformat(kept.oldest)
        yield from (oldest + timedelta(minutes=int(after)) for after in kept.opened.split())


COUNT = "count-waiting"  # the kind of due work
EVERYTHING = "everything"
AGAIN = timedelta(minutes=1)


def plan_counts(places: Collection[str], moment: datetime) -> None:
    """Plans to count these places at once and again in one or two minutes. All changes of a second plan the same first
    count, and all changes of a minute the same second one. 1 write unit for each."""
    moments = moment.replace(microsecond=0), _caught_up(moment)
    write_batch(
        puts=[plan(COUNT, moment=at, subject=place).item for place in places for at in moments]
    )


def count_everything_again() -> None:
    """Plans to count every queue and every desk in one or two minutes, once however often it is planned meanwhile.
    1 write unit."""
    write_batch(puts=[plan(COUNT, moment=_caught_up(utc_now()), subject=EVERYTHING).item])


def _caught_up(moment: datetime) -> datetime:
    """Returns the full minute by which the index has surely caught up."""
    return moment.replace(second=0, microsecond=0) + timedelta(minutes=1) + AGAIN


@access_pattern
def count_place(due: Due) -> None:
    """Counts the place that the due item names, or everything, also if a queue was never counted. Safe to run twice,
    and late: where another count was kept meanwhile, it counts again, so clocks that differ keep no old count.

    For each try a consistent Query of the counts, 1 read unit per 4 KB, what `count_now` costs, and up to 8 write units
    for each place. To count everything, a Query of the staff. For an empty desk, a consistent BatchGetItem of its
    owner's place among the staff, 1 read unit.
    """
    write_optimistically(lambda: _count(due.subject))


def _count(place: str) -> None:
    kept = {row(WaitingCount, raw).place: raw for raw in query(keys.waiting(), consistent=True)}
    places = [place]
    if place == EVERYTHING or not kept.keys() >= set(Queue):
        staff = [row(Staff, raw).user_id for raw in query(keys.staff())]
        # The queues come last: once all of them are there, readers trust that the desks are too.
        places = [*dict.fromkeys([*staff, *(one for one in kept if one not in set(Queue))])]
        places += Queue
    began = utc_now_iso()
    for waiting in count_now(places):
        _keep(waiting, began, kept.get(waiting.place))


def _keep(waiting: Waiting, began: str, kept: RawItem | None) -> None:
    """Keeps a count, but none of an empty desk whose owner is not on the staff any more. Raises `Moved` if it is not
    there as it was read."""
    key = keys.waiting_count(partition_of_place(waiting.place))
    at = WaitingCount.counted_at
    as_read = at == row(WaitingCount, kept).counted_at if kept else at.does_not_exist()
    if waiting.count or waiting.place in set(Queue) or _is_staff(waiting.place):
        transact(Upsert(WaitingCount, key, _values(waiting, began), as_read, Moved))
    elif kept:
        transact(Delete(key, as_read, Moved))


def _is_staff(user_id: str) -> bool:
    return bool(fetch([keys.staff_member(user_id)], consistent=True))


def _values(waiting: Waiting, began: str) -> list[Action]:
    actions = [
        WaitingCount.place.set(waiting.place),
        WaitingCount.cases.set(waiting.count),
        WaitingCount.has_more.set(waiting.has_more),
        WaitingCount.to_answer.set(waiting.to_answer),
        WaitingCount.kinds.set(dict(waiting.kinds)),
        WaitingCount.counted_at.set(began),
        WaitingCount.oldest_urgent.set(waiting.oldest_urgent)
        if waiting.oldest_urgent
        else WaitingCount.oldest_urgent.remove(),
    ]
    if not waiting.oldest:
        return [*actions, WaitingCount.oldest.remove(), WaitingCount.opened.remove()]
    oldest = datetime.fromisoformat(waiting.oldest)
    minutes = (int((opened - oldest) / timedelta(minutes=1)) for opened in waiting.opened)
    return [
        *actions,
        WaitingCount.oldest.set(waiting.oldest),
        WaitingCount.opened.set(" ".join(map(str, minutes))),
    ]

"""Counting again what waits, after something changed: `waiting.py` reads it.

The clock counts, because the stream worker may read neither the queue nor who is on the staff: at once, and again a
minute later, when the index has surely caught up. What one count missed, the next one mends.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

from pynamodb.expressions.update import Action

from moderation.models import Queue, WaitingCount
from moderation.staff.waiting import Waiting, count_now, partition_of_place
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.planning import plan
from socialsite.models import Due, Staff
from socialsite.table import keys
from socialsite.table.actions import Delete, Upsert
from socialsite.table.errors import Conflict, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, query
from socialsite.table.row import row
from socialsite.table.writing import transact, write_batch

COUNT = "count-waiting"  # the kind of due work
EVERYTHING = "everything"
AGAIN = timedelta(minutes=1)


class CountedSince(Conflict):
    """A count that began later is there already."""


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
    and late: only a count that began later than the one that is there replaces it.

    A Query of the counts, 0.5 read units per 4 KB, what `count_now` costs, and up to 8 write units for each place. To
    count everything, a Query of the staff. For an empty desk, a consistent BatchGetItem of its owner's place among the
    staff, 1 read unit.
    """
    counted = [row(WaitingCount, raw).place for raw in query(keys.waiting())]
    places = [due.subject]
    if due.subject == EVERYTHING or not set(counted) >= set(Queue):
        staff = [row(Staff, raw).user_id for raw in query(keys.staff())]
        # The queues come last: once all of them are there, readers trust that the desks are too.
        places = [*dict.fromkeys([*staff, *(one for one in counted if one not in set(Queue))])]
        places += Queue
    began = utc_now_iso()
    for waiting in count_now(places):
        with suppress(CountedSince, NotFound):
            _keep(waiting, began)


def _keep(waiting: Waiting, began: str) -> None:
    """Keeps a count, but none of an empty desk whose owner is not on the staff any more."""
    key = keys.waiting_count(partition_of_place(waiting.place))
    is_older = WaitingCount.counted_at < began
    if waiting.count or waiting.place in set(Queue) or _is_staff(waiting.place):
        condition = WaitingCount.counted_at.does_not_exist() | is_older
        transact(Upsert(WaitingCount, key, _values(waiting, began), condition, CountedSince))
    else:
        transact(Delete(key, is_older))


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

"""Work that waits for a time: planning it, and doing what is due."""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice

from django.utils.module_loading import autodiscover_modules

from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.table import (
    Create,
    Delete,
    Erase,
    NotFound,
    TableError,
    access_pattern,
    as_model,
    keys,
    name_of,
    query,
    spent_by,
    transact,
    write_batch,
)
from socialsite.table.meter import CLOCK


class AlreadyDone(NotFound):
    """Another process has done the work, or it was taken back."""


def plan(kind: str, *, moment: datetime, subject: str, **facts: str) -> Create:
    """Returns the action that plans work of this kind for a moment. `facts` are handed to it, so they hold no secrets.

    `subject` says whom or what it is about. With kind and moment, it makes the work unique. 2 write units.
    """
    return Create(Due.new(kind=kind, moment=moment, subject=subject, facts=facts))


def cancel(kind: str, *, moment: datetime, subject: str) -> Erase:
    """Returns the action that takes planned work back. Work that has begun meanwhile is not stopped, so it has to look
    whether it is still wanted. 2 write units."""
    return Erase(keys.due(moment, kind, subject))


def done(due: Due) -> Delete:
    """Returns the action that ends due work, for the transaction that does it. Then it is done once, however many
    processes try. Raises `AlreadyDone`. 2 write units."""
    return Delete(due.key, otherwise=AlreadyDone)


# Does the work that is due. Any number of processes may look at once, because each claims an item before it
# begins.
#
# A claim moves the item to a later time, in one transaction. If the work fails or its process dies, the item
# comes up again then, up to a day later after many tries. Nothing is lost, and what must not happen twice ends
# the item in its own transaction (`done`).

AT_ONCE = 25  # items of a shard that are read at once
BACK_OFF = (1, 5, 30, 120, 480, 1440)  # minutes until the next try

log = logging.getLogger(__name__)

Until = Callable[[], datetime | None]

WORK: dict[str, Callable[[Due], object]] = {}
WAITS: dict[str, Until] = {}
CLAIM_THEMSELVES: set[str] = set()
LOOKS: list[Callable[[], object]] = []


def due_work(
    kind: str, *, claims_itself: bool = False, waits_until: Until | None = None
) -> Callable[[Callable[[Due], object]], Callable[[Due], object]]:
    """Registers the function that does work of this kind. It must be safe to run twice, and raises if it failed. One
    that `claims_itself` ends the item in a transaction of its own, with the item that comes after it (`done`).
    `waits_until` says until when all work of the kind waits untried, as what it needs does not answer; None if it need
    not."""

    def register(do: Callable[[Due], object]) -> Callable[[Due], object]:
        WORK[kind] = do
        if claims_itself:
            CLAIM_THEMSELVES.add(kind)
        if waits_until:
            WAITS[kind] = waits_until
        return do

    return register


def each_look(look: Callable[[], None]) -> Callable[[], None]:
    """Registers a function that the clock calls each time that it has looked for due work: what waits elsewhere, in a
    queue. It decides itself how often that is worth a call."""
    LOOKS.append(look)
    return look


@spent_by(CLOCK, "socialsite:look_for_due_work")
def do_due(now: datetime | None = None, *, beat: Callable[[float], None] | None = None) -> int:
    """Does everything that is due by now, the oldest of each shard first. Returns how many items were taken up. `beat`
    is told before each how many seconds it is late.

    Costs what `list_due` and `claim_due` cost, and 1 write unit at the end of each item.
    """
    autodiscover_modules("stream_handlers")
    began = now or utc_now()
    taken = 0

    def moment_now() -> datetime:
        """Until when work is due: what is planned meanwhile waits for the next look, and the clock may be set back."""
        return now or min(began, utc_now())

    for shard in range(keys.DUE_SHARDS):
        while waiting := list_due(shard, moment_now()):
            for due in waiting:
                moment = moment_now()
                if datetime.fromisoformat(due.moment) > moment:
                    break  # the clock was ahead when it asked
                taken += 1
                if beat:
                    beat((utc_now() - datetime.fromisoformat(due.moment)).total_seconds())
                with suppress(AlreadyDone), spent_by(CLOCK, _name_of(due)):
                    if (until := _waits_until(due)) and until > moment:
                        put_off(due, until)
                    elif due.kind in CLAIM_THEMSELVES:
                        _do_unclaimed(due, moment)
                    else:
                        _do(claim_due(due, moment))
    for look in LOOKS:
        look()
    if beat:
        beat(0)
    return taken


@access_pattern
def list_due(shard: int, moment: datetime) -> list[Due]:
    """Returns at most 25 items of a shard that are due by this moment, the oldest first. The clock asks each of 4
    shards every 5 seconds.

    One Query `due#<shard>` with an upper bound: 0.5 read units while nothing is due, however much is planned.
    """
    raws = query(keys.due_shard(shard), between=keys.due_until(moment), limit=AT_ONCE)
    return [as_model(Due, raw) for raw in islice(raws, AT_ONCE)]


@access_pattern
def claim_due(due: Due, moment: datetime) -> Due:
    """Moves an item to the time of its next try, and returns it as it stands there. Raises `AlreadyDone` if another
    process was quicker. One TransactWriteItems of two items, 4 write units."""
    tries = int(due.tries)
    again = moment + timedelta(minutes=BACK_OFF[min(tries, len(BACK_OFF) - 1)])
    later = Due.new(kind=due.kind, moment=again, subject=due.subject, facts=due.facts)
    later.tries = tries + 1
    # Two processes write the same here, so what another one has done never counts as this one's own success.
    transact(
        Delete(due.key, otherwise=AlreadyDone),
        Create(later, otherwise=AlreadyDone),
        may_be_own=False,
    )
    return later


def _waits_until(due: Due) -> datetime | None:
    return WAITS[due.kind]() if due.kind in WAITS else None


@access_pattern
def put_off(due: Due, until: datetime) -> None:
    """Moves an item to a later time, as if nobody had taken it up. Raises `AlreadyDone` if another process was quicker.
    One TransactWriteItems of two items, 4 write units."""
    later = Due.new(kind=due.kind, moment=until, subject=due.subject, facts=due.facts)
    later.tries = int(due.tries)
    transact(
        Delete(due.key, otherwise=AlreadyDone),
        Create(later, otherwise=AlreadyDone),
        may_be_own=False,
    )


def _name_of(due: Due) -> str:
    do = WORK.get(due.kind)
    return name_of(do, due.kind) if do else f"socialsite:{due.kind}"


def _do_unclaimed(due: Due, moment: datetime) -> None:
    """Lets work claim itself. What fails before it has done so comes up again later, as other work does."""
    try:
        WORK[due.kind](due)
    except AlreadyDone:
        raise
    except TableError as error:
        log.warning("due work waits for its next try (%s): %s", due.kind, error)
        claim_due(due, moment)
    except Exception:
        log.exception("due work failed (%s)", due.kind)
        claim_due(due, moment)


def _do(due: Due) -> None:
    try:
        WORK[due.kind](due)
    except AlreadyDone:
        raise
    except TableError as error:
        log.warning("due work waits for its next try (%s): %s", due.kind, error)
    except Exception:
        log.exception("due work failed (%s) in try %d", due.kind, due.tries)
    else:
        write_batch(deletes=[due.key])

"""The vital signs of table, worker, clock, pusher and letters, read anew each time."""

from collections.abc import Iterator

from socialsite.engine.program import EngineError
from socialsite.site_settings.read_only import stands_still
from socialsite.streams.status import read_worker_status
from socialsite.table import TableError
from socialsite.vital_signs import Vital, vital_signs


@vital_signs(kept=0)
def of_processes() -> Iterator[Vital]:
    """Whether the table answers, and what the processes behind the pages noted in it. As `read_worker_status`.

    Nothing is told of how they work while they rest, as the site is only read on purpose.
    """
    try:
        worker = read_worker_status()
    except (TableError, EngineError):
        yield Vital("table_up", "Whether the table answers", 0)
        return
    yield Vital("table_up", "Whether the table answers", 1)
    yield Vital("worker_dead_letters", "Parked records, 50 at most", len(worker.dead_letters))
    yield Vital("worker_gap", "Whether records were lost unread", worker.has_gap)
    if stands_still():
        return
    yield Vital("worker_up", "Whether a worker reads every shard", worker.is_working)
    yield Vital("worker_lag_seconds", "How far behind the stream a worker may be", worker.lag)
    yield Vital("clock_up", "Whether a clock does what is due", worker.clock.is_working)
    yield Vital("clock_lag_seconds", "Age of the oldest due work, at most", worker.clock.lag)
    yield Vital(
        "letters_fail_seconds",
        "For how long no letter has gone out, though some were tried",
        worker.letters_fail,
    )
    if worker.pusher:
        yield Vital("pusher_up", "Whether a pusher sends", worker.pusher.is_working)
        yield Vital(
            "pusher_lag_seconds", "Age of the oldest push that waits, at most", worker.pusher.lag
        )

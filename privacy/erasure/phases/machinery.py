"""What is left in the end: work of the worker about the person, and everything else of theirs."""

from privacy.erasure.leaver import Handled, Leaver, first_of
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.reading import key_of, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch

AT_ONCE = 50


def erase_work(leaver: Leaver) -> Handled:
    """Deletes the worker's jobs about the person and parked records that name them. A Query for each kind of job, and
    one of the dead letters, 0.5 read units for each 4 KB."""
    about = [
        key_of(raw)
        for kind in JobKind
        for raw in query(keys.jobs(kind), consistent=True)
        if kind != JobKind.ERASE
        and leaver.user_id in (row(Job, raw).subject_id, row(Job, raw).author_id)
    ]
    parked = [
        key_of(raw)
        for raw in query(keys.dead_letters(), consistent=True)
        if leaver.user_id in str(raw)
    ]
    write_batch(deletes=[*about, *parked])
    return Handled(jobs=len(about) + len(parked))


def erase_the_rest(leaver: Leaver) -> Handled:
    """Deletes what is left in the person's own partitions: timeline, notifications, saved posts, drafts of the
    machinery. A Query of each, 1 read unit, and 1 write unit an item."""
    found = [
        key_of(raw)
        for partition in keys.own_partitions(leaver.user_id)
        for raw in first_of(partition, AT_ONCE)
    ]
    write_batch(deletes=found)
    return Handled(others=len(found))

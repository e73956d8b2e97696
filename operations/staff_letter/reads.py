"""What a member of staff hears of once a week, each by what their role permits: the queues that they may open, with
the age of the oldest case, and for those who look after the worker what broke."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings

from accounts.permissions import Permission, Permissions
from moderation.models import Queue
from moderation.staff.nav import PERMISSION_FOR
from moderation.staff.waiting import Waiting, list_waiting
from operations.alarms.rules import BY_NAME
from operations.alarms.vitals import backup_age, has_backup
from socialsite.engine.running import free_bytes, is_full
from socialsite.streams.status import WorkerStatus, read_worker_status

IS_BEHIND = 60  # seconds


@dataclass(frozen=True, slots=True)
class Broken:
    """What does not work as it should; each None, 0 or False where it does. `backup_age` is None too where Amazon makes
    the backups."""

    free_bytes: int | None = None
    backup_age: timedelta | None = None
    has_no_backup: bool = False
    stands_still: bool = False
    behind: int = 0  # seconds, the stream
    has_gap: bool = False
    parked: int = 0
    clock_behind: int = 0

    def __bool__(self) -> bool:
        return self != Broken()


@dataclass(frozen=True, slots=True)
class ForStaff:
    waiting: tuple[Waiting, ...]
    broken: Broken

    @property
    def is_anything(self) -> bool:
        return bool(self.waiting or self.broken)


def find_for_staff(permissions: Permissions) -> ForStaff:
    """Returns what waits in the queues that these permissions open, and what broke, if they open the page of the
    worker. What `list_waiting` and `read_worker_status` cost."""
    open_queues = [queue for queue in Queue if PERMISSION_FOR[queue] in permissions]
    found = list_waiting().queues if open_queues else {}
    return ForStaff(
        tuple(found[queue] for queue in open_queues if found[queue].count),
        _broken(read_worker_status()) if Permission.WORKER in permissions else Broken(),
    )


def _broken(worker: WorkerStatus) -> Broken:
    age = backup_age()
    is_old = age and BY_NAME["BackupOld"].holds({"backup_age_seconds": age.total_seconds()})
    return Broken(
        free_bytes=next(_short_of_disk(), None),
        backup_age=age if is_old and has_backup() else None,
        has_no_backup=age is not None and not has_backup(),
        stands_still=not worker.is_working,
        behind=worker.lag if worker.lag > IS_BEHIND else 0,
        has_gap=worker.has_gap,
        parked=len(worker.dead_letters),
        clock_behind=worker.clock.lag if worker.clock.lag > IS_BEHIND else 0,
    )


def _short_of_disk() -> Iterator[int]:
    with suppress(OSError):  # a site on Amazon may have no data folder
        free = free_bytes(settings.DATA_DIR)
        is_low = BY_NAME["DiskLow"].holds({"data_disk_free_bytes": free})
        if is_low or is_full(settings.DATA_DIR):
            yield free

"""What a member of staff hears of once a week, each by what their role permits: the queues that they may open, with
the age of the oldest case, and for those who look after the worker what broke."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

from accounts.permissions import Permission, Permissions
from moderation.models import Queue
from moderation.staff.nav import PERMISSION_FOR
from moderation.staff.waiting import Waiting, list_waiting
from socialsite.clock import utc_now
from socialsite.engine.running import free_bytes, is_full
from socialsite.streams.status import WorkerStatus, read_worker_status

LAST_BACKUP = "last-backup"  # a file in the data folder, which `manage.py backup` touches
SHORT_OF_DISK = 1024**3  # bytes
BACKUP_IS_OLD = timedelta(days=7)
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
    age, has_none = _backup()
    return Broken(
        free_bytes=next(_short_of_disk(), None),
        backup_age=age,
        has_no_backup=has_none,
        stands_still=not worker.is_working,
        behind=worker.lag if worker.lag > IS_BEHIND else 0,
        has_gap=worker.has_gap,
        parked=len(worker.dead_letters),
        clock_behind=worker.clock.lag if worker.clock.lag > IS_BEHIND else 0,
    )


def _short_of_disk() -> Iterator[int]:
    with suppress(OSError):  # a site on Amazon may have no data folder
        free = free_bytes(settings.DATA_DIR)
        if free < SHORT_OF_DISK or is_full(settings.DATA_DIR):
            yield free


def _backup() -> tuple[timedelta | None, bool]:
    """Returns how old the last backup is, if it is old, and whether there is none."""
    if settings.DYNAMODB_ENGINE != "embedded":
        return None, False
    try:
        made = (Path(settings.DATA_DIR) / LAST_BACKUP).stat().st_mtime
    except OSError:
        return None, True
    age = utc_now() - datetime.fromtimestamp(made, UTC)
    return (age if age > BACKUP_IS_OLD else None), False

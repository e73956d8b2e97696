"""What stays after an erasure, and until when."""

from datetime import UTC, datetime, time, timedelta

GRACE = timedelta(days=14)
HANDLE_KEPT = timedelta(days=90)  # nobody can pose as the person who left
EVIDENCE_KEPT = timedelta(days=180)  # decisions can be disputed for six months
MOST_BARRED = timedelta(days=365)  # of the address of a suspended person
RECEIPT_KEPT = timedelta(days=365)
BACKUPS_KEPT = timedelta(
    days=35
)  # of recovery to a point in time; those of `manage.py backup` are the operator's
LATEST_RECORD = timedelta(hours=25)  # the stream keeps its records for a day
NIGHT = time(3, tzinfo=UTC)

Kept = list[tuple[str, str]]  # what stays, and until when, empty if it has no end


def next_search(erased_at: datetime) -> datetime:
    """Returns the night of the search: the first after the stream has dropped every record from before the end of the
    erasure, so that nothing can come late."""
    earliest = erased_at + LATEST_RECORD
    night = datetime.combine(earliest.date(), NIGHT)
    return night if night >= earliest else night + timedelta(days=1)


def barred_until(suspended_until: str, now: datetime) -> datetime:
    """Returns until when the address of a suspended person cannot sign up again."""
    return min(datetime.fromisoformat(suspended_until), now + MOST_BARRED)

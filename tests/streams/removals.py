"""Records of removals by TTL on any day, as the stream has them, put straight into the archive."""

from datetime import UTC, datetime, timedelta
from typing import Any

from feed.saved.models import SavedPost
from socialsite.clock import utc_now
from socialsite.streams.archive import archive_records
from socialsite.table import ids

SHARD = "shardId-1"


def day_before(days: int) -> datetime:
    """Noon so many days ago."""
    return datetime.combine(utc_now().date() - timedelta(days=days), datetime.min.time(), UTC)


def removal(number: int, *, at: datetime, user_id: str = "", note: str = "") -> dict[str, Any]:
    saved = SavedPost.new(
        user_id=user_id or ids.new_id(),
        post_id=ids.new_id(),
        author_id=ids.new_id(),
        saved_at=at.isoformat(),
        note=note,
    )
    saved.ttl = at
    return {
        "eventName": "REMOVE",
        "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
        "dynamodb": {
            "ApproximateCreationDateTime": at.timestamp(),
            "SequenceNumber": str(number),
            "OldImage": saved.serialize(),
        },
    }


def archive_days(*days: int, each: int = 3, user_id: str = "", start: int = 1) -> int:
    """Archives so many removals on each of these days ago, a file each. Returns the next free number."""
    number = start
    for day in days:
        for _ in range(each):
            record = removal(number, at=day_before(day), user_id=user_id)
            archive_records([record], shard_id=SHARD)
            number += 1
    return number

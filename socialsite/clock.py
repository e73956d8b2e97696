"""The site's only clock. Times are UTC. Items hold them as ISO 8601."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    return datetime.now(UTC)


def utc_now_iso() -> str:
    return utc_now().isoformat()

"""Keys of what a person keeps for themselves, all in one partition. Its sort keys begin with what it is, so that each
page reads its own part alone."""

from datetime import UTC, datetime

from socialsite.table.keys.key import Key, bounds


def shelf(user_id: str) -> str:
    return f"u#{user_id}#shelf"


def draft(user_id: str, draft_id: str) -> Key:
    return Key(shelf(user_id), f"DRAFT#{draft_id}")


def draft_bounds() -> tuple[str, str]:
    return bounds("DRAFT#")


def scheduled(user_id: str, publish_at: datetime, scheduled_id: str) -> Key:
    """Returns the key of a scheduled post. They sort by the time at which they are published."""
    moment = publish_at.astimezone(UTC).isoformat(timespec="seconds")
    return Key(shelf(user_id), f"SCHEDULED#{moment}#{scheduled_id}")


def scheduled_bounds() -> tuple[str, str]:
    return bounds("SCHEDULED#")


def saved_post(user_id: str, post_id: str, folder_id: str = "") -> Key:
    """Returns the key of a saved post among all of them, or among those in a folder."""
    return Key(shelf(user_id), f"{_saved(folder_id)}{post_id}")


def saved_bounds(folder_id: str = "") -> tuple[str, str]:
    return bounds(_saved(folder_id))


def _saved(folder_id: str) -> str:
    return f"SAVED#{folder_id or 'all'}#"

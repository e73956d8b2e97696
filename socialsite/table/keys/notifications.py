"""Keys of what a person is told."""

from socialsite.table.keys.key import Key
from socialsite.table.keys.people import user

TIME = 10  # characters at the head of a ULID


def bell(user_id: str) -> Key:
    return Key(user(user_id), "bell")


def notifications(user_id: str) -> str:
    return f"u#{user_id}#notification"


def notification(user_id: str, place: str) -> Key:
    """Returns the key of a group of notifications. `place` is the time at which the group was opened, followed by its
    name, so that two groups of one moment stand side by side."""
    return Key(notifications(user_id), f"n#{place}")

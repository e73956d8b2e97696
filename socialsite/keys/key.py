"""The primary key of an item, and a range of sort keys."""

from typing import NamedTuple


class Key(NamedTuple):
    pk: str
    sk: str


def bounds(prefix: str) -> tuple[str, str]:
    """Returns the bounds of all sort keys with this beginning."""
    return prefix, f"{prefix}\U0010ffff"

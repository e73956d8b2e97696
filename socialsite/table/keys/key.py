"""The primary key of an item, and a range of sort keys."""

from typing import NamedTuple


class Key(NamedTuple):
    pk: str
    sk: str


def bounds(prefix: str) -> tuple[str, str]:
    """Between which sort keys all are that begin so."""
    return prefix, f"{prefix}\U0010ffff"

"""Optimistic writes: read, build the actions, write on condition that nothing changed, and try again if something
did."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from socialsite.table.errors import Conflict, TableError

TRIES = 6

T = TypeVar("T")


class Moved(Conflict):
    """Something changed since it was read; nothing was written."""


def write_as_read(
    attempt: Callable[[], T], *, moved: type[TableError] = Moved, tries: int = TRIES
) -> T:
    """Returns what `attempt` returns, which reads and writes. Calls it again while it raises `moved`, and raises that
    once `tries` are used up."""
    for _ in range(tries - 1):
        with suppress(moved):
            return attempt()
    return attempt()

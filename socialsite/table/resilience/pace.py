"""How many items the next call has. What someone waits for makes full calls; long work may go at another pace."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

# Takes the most items that a call can have, and returns how many the next one has. It may wait first.
Pace = Callable[[int], int]


def _full(most: int) -> int:
    return most


_pace: ContextVar[Pace] = ContextVar("pace", default=_full)


@contextmanager
def paced(pace: Pace) -> Iterator[None]:
    """Makes the lists that are written or fetched inside the block go at this pace."""
    token = _pace.set(pace)
    try:
        yield
    finally:
        _pace.reset(token)


def pieces(items: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    """Yields the items in order, in a piece for each call. The pace is asked before each of them."""
    start = 0
    while start < len(items):
        end = start + _pace.get()(most)
        yield items[start:end]
        start = end

"""Doing something on the real site under an armed fault, until it is known whether it was done."""

from collections.abc import Callable
from typing import TypeVar

from socialsite.table import Conflict, Unavailable

T = TypeVar("T")

TRIES = 5


def insist(action: Callable[[], T]) -> T:
    """As a person does at a 503: the same again. Every write may be repeated, so that afterwards it happened once."""
    for _ in range(TRIES):
        try:
            return action()
        except (Conflict, Unavailable):
            continue
    return action()

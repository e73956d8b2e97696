"""Two processes that cross: what another one does between the reading and the writing of the first."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from socialsite.table.connection import client

WRITING = "TransactWriteItems"


@contextmanager
def meanwhile(act: Callable[[], object], *, before: str = WRITING) -> Iterator[list[bool]]:
    """Lets `act` happen just before the block's first call of an operation is sent. The list is empty if there was
    none."""
    happened: list[bool] = []

    def cross(**_: Any) -> None:
        if not happened:
            happened.append(True)
            act()

    events, name = client().meta.events, f"before-send.dynamodb.{before}"
    events.register_first(name, cross)
    try:
        yield happened
    finally:
        events.unregister(name, cross)

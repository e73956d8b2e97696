"""Things that happen at once, and orders that cross."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from socialsite.table.connection import client

T = TypeVar("T")


def together(*jobs: Callable[[], T]) -> list[T | BaseException]:
    """Starts all jobs at once, each in a thread of its own; what each returned or raised, in their order."""
    start = threading.Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T | BaseException:
        start.wait()
        try:
            return job()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


# Two processes that cross: what another one does between the reading and the writing of the first.

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

"""Things that happen at the same time."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

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

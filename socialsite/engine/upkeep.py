"""When is each piece of the engine's upkeep done? What it does is in its own file.

`stream_records.py` indexes and trims the stream, `expired_items.py` deletes what has expired.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger("socialsite.engine")

STOP_SECONDS = 5


@dataclass
class Task:
    """Something to do again and again; the first time at once."""

    do: Callable[[], object]
    every: float
    due: float = 0.0


class Upkeep(threading.Thread):
    """Runs the owner's tasks; a failing task is logged and tried again when it is next due."""

    def __init__(self, tasks: list[Task]) -> None:
        super().__init__(name="engine-upkeep", daemon=True)
        self._tasks = tasks
        self._stopping = threading.Event()

    def run(self) -> None:
        while not self._stopping.is_set():
            for task in self._tasks:
                if task.due <= time.monotonic() and not self._stopping.is_set():
                    self._attempt(task)
            next_due = min(task.due for task in self._tasks)
            self._stopping.wait(max(0.0, next_due - time.monotonic()))

    def _attempt(self, task: Task) -> None:
        try:
            task.do()
        except Exception:
            if not self._stopping.is_set():
                log.exception("Upkeep of the DynamoDB engine failed; it will be tried again.")
        task.due = time.monotonic() + task.every

    def stop(self) -> None:
        """Ask the thread to end and wait for the task in hand."""
        self._stopping.set()
        self.join(STOP_SECONDS)

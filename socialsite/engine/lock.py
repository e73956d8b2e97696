"""Which process owns the engine of a data folder, and where do the others find it?

The lock decides, the state file informs: the kernel drops the lock when its holder dies, whatever
the state file then still says.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from socialsite.private_files import FILE_MODE, write_private

LOCK_NAME = "engine.lock"
STATE_NAME = "engine.json"


@dataclass(frozen=True)
class State:
    """What the owner tells the processes that attach."""

    url: str
    engine_pid: int
    owner_pid: int


def try_lock(data_dir: Path) -> int | None:
    """Return the held lock's file descriptor, or None when another process holds it."""
    descriptor = os.open(data_dir / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def write_state(data_dir: Path, state: State) -> None:
    """Publish the state; a reader sees the old one or the new one, never half."""
    write_private(data_dir / STATE_NAME, json.dumps(asdict(state)))


def read_state(data_dir: Path) -> State | None:
    """Return what the last owner published, which may be dead by now."""
    try:
        return State(**json.loads((data_dir / STATE_NAME).read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def remove_state(data_dir: Path) -> None:
    """Withdraw the state."""
    (data_dir / STATE_NAME).unlink(missing_ok=True)

"""Which process owns the engine of a data folder, and where do the others find it?

The lock decides, and the state file only informs: the kernel drops the lock when its holder dies, whatever the state
file still says. Attached processes share a second lock, so that a new owner knows whether anyone still expects the
engine at the old address.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from socialsite.private_files import FILE_MODE, write_private

LOCK_NAME = "engine.lock"
GUESTS_NAME = "engine.guests"
STATE_NAME = "engine.json"


@dataclass(frozen=True)
class State:
    """What the owner tells the processes that attach; `problem` says why there is no engine."""

    url: str
    engine_pid: int
    owner_pid: int
    problem: str = ""


def try_lock(data_dir: Path) -> int | None:
    """Returns the owner's lock as a file descriptor, or None when another process holds it."""
    return _try_flock(data_dir / LOCK_NAME, fcntl.LOCK_EX)


def join_guests(data_dir: Path) -> int | None:
    """Returns the shared lock of the attached processes, or None while a new owner looks for them."""
    return _try_flock(data_dir / GUESTS_NAME, fcntl.LOCK_SH)


def has_guests(data_dir: Path) -> bool:
    """Whether any process is attached."""
    descriptor = _try_flock(data_dir / GUESTS_NAME, fcntl.LOCK_EX)
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def _try_flock(file: Path, kind: int) -> int | None:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
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

"""Has the disk of the data folder room left? On a full one the engine reads, and refuses whatever is written."""

import shutil
from pathlib import Path

from socialsite.engine.choice import choose
from socialsite.engine.errors import EngineError

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

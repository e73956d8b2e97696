"""What a process keeps of the table in its memory, for a time: copies of settings, of counts, of opened keys.

Whoever keeps something registers here how it is dropped, so that a process can become as new, as in tests, which have
many tables in one process.
"""

from collections.abc import Callable

_drops: list[Callable[[], None]] = []


def kept_by_process(drop: Callable[[], None]) -> Callable[[], None]:
    """Registers the function that drops what a module keeps. It costs nothing, and may run at any time."""
    _drops.append(drop)
    return drop


def reset_process_state() -> None:
    """Drops everything that this process keeps of the table, so that the next use reads it anew."""
    for drop in _drops:
        drop()

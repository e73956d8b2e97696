"""Vital signs: figures of how the site is, each declared by the behaviour that it is about, in its module `vitals`.

`/metrics` shows them, alarms look at them (`operations/alarms/`), and none costs a call of a page. Where a sign is not
there (no certificate, no backup of one's own on Amazon), it is left out, and no alarm looks at it.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from socialsite.discovery import discover
from socialsite.engine.program import EngineError
from socialsite.process_state import KeptCopy
from socialsite.table import TableError

KEPT_SECONDS = 60.0  # however often a process is asked


@dataclass(frozen=True, slots=True)
class Vital:
    """A figure by the name that Prometheus knows it by."""

    name: str
    help_text: str
    value: float


Read = Callable[[], Iterable[Vital]]
_signs: list[Callable[[], tuple[Vital, ...]]] = []


def vital_signs(*, kept: float = KEPT_SECONDS) -> Callable[[Read], Read]:
    """Registers a function that reads figures, in each process once in so many seconds. While it cannot, the last ones
    stay."""

    def register(read: Read) -> Read:
        despite = (TableError, EngineError)
        _signs.append(KeptCopy(lambda: tuple(read()), seconds=lambda: kept, despite=despite).get)
        return read

    return register


def list_vitals() -> list[Vital]:
    """Returns all figures that are there. Costs what `read_worker_status` does, and once a minute what the functions
    below `vitals` say."""
    discover("vitals")
    found: list[Vital] = []
    for get in _signs:
        with suppress(TableError, EngineError, OSError):
            found += get()
    return found

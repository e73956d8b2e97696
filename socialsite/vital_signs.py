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
_of_machine: list[Callable[[], tuple[Vital, ...]]] = []


def vital_signs(*, kept: float = KEPT_SECONDS, of_machine: bool = False) -> Callable[[Read], Read]:
    """Registers a function that reads figures, in each process once in so many seconds. While it cannot, the last ones
    stay. One `of_machine` asks the table nothing."""

    def register(read: Read) -> Read:
        despite = (TableError, EngineError)
        copy = KeptCopy(lambda: tuple(read()), seconds=lambda: kept, despite=despite)
        (_of_machine if of_machine else _signs).append(copy.get)
        return read

    return register


def list_vitals(*, with_table: bool = True) -> list[Vital]:
    """Returns all figures that are there, or those of this machine alone. Costs what `read_worker_status` does, and
    once a minute what the functions of the modules `vitals` say."""
    discover("vitals")
    found: list[Vital] = []
    for get in [*_of_machine, *(_signs if with_table else ())]:
        with suppress(TableError, EngineError, OSError):
            found += get()
    return found

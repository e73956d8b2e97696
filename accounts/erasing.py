"""The person whose account is erased, and the phases in which that goes: each behaviour registers what of its own it
deletes, by `@erases` in its `erasure` module. In which order they go, `privacy/erasure/phases.py` says.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from accounts.people.viewer import Viewer
from socialsite.table import RawItem, query

Handled = Counter[str]  # how many items of each kind a step dealt with


@dataclass(frozen=True, slots=True)
class Leaver:
    """Whose items these are. `viewer` is the actor for the services that end what people begin themselves."""

    user_id: str
    receipt_id: str
    handle: str
    pictures: int
    role: str
    evidence_until: datetime
    viewer: Viewer
    held_until: str = ""  # by a legal hold, empty without one in force


Phase = Callable[[Leaver], Handled]
phases: dict[str, Phase] = {}


def erases(name: str) -> Callable[[Phase], Phase]:
    """Registers a phase. It deals with the next items that it finds, until it finds none: running it again changes
    nothing. What it says that it dealt with stands on the receipt."""

    def register(phase: Phase) -> Phase:
        phases[name] = phase
        return phase

    return register


def first_of(
    partition: str, count: int, *, between: tuple[str, str] | None = None
) -> list[RawItem]:
    """Returns the first items of a partition, expired ones too. One consistent Query, 1 read unit for each 4 KB."""
    rows = query(partition, between=between, limit=count, consistent=True, with_expired=True)
    return list(islice(rows, count))

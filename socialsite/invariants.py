"""What must always hold in the table: each behaviour registers its own in its `checks` module, by `@must_hold`.

`manage.py audit`, imports and the tests give every item to all of them (`operations/invariants.py`).
"""

from typing import Protocol, TypeVar

from socialsite.discovery import discover
from socialsite.table import Item


class OfABehaviour(Protocol):
    """Takes every item with `add`, then says in `results` what of it breaks each of its rules."""

    def add(self, item: Item) -> None: ...

    def results(self) -> dict[str, list[str]]: ...


C = TypeVar("C", bound=OfABehaviour)
_registered: list[type[OfABehaviour]] = []


def must_hold(cls: type[C]) -> type[C]:
    """Registers the invariants of a behaviour."""
    _registered.append(cls)
    return cls


def all_invariants() -> list[OfABehaviour]:
    """Returns one of each, room by room."""
    discover("checks")
    return [cls() for cls in sorted(_registered, key=lambda cls: (cls.__module__, cls.__name__))]

"""Checks item by item what must always hold in the table, for `manage.py audit` and the tests.

Each behaviour checks its own items in its `checks` (`socialsite/invariants.py`). Rules for every item are here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from operations.damage import find_faults, model_of, place_of
from socialsite.invariants import OfABehaviour, all_invariants
from socialsite.streams.models import RETIRED_ITEMS
from socialsite.table import MOST_BYTES, Item, RawItem, item_size

# What an item raises that has all its attributes, one of which means nothing.
UNREADABLE = (TypeError, ValueError, KeyError, AttributeError)


@dataclass
class Invariants:
    """Give it every item with `add`, then ask for `results`."""

    of_behaviours: Sequence[OfABehaviour] = field(default_factory=all_invariants)
    unknown: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    large: list[str] = field(default_factory=list)

    def add(self, raw: RawItem) -> None:
        place = place_of(raw)
        kind = raw.get("type", {}).get("S", "")
        model = model_of(raw)
        if item_size(raw) > (model.most_bytes if model else MOST_BYTES):
            self.large.append(place)
        if model is None:
            if kind not in RETIRED_ITEMS:
                self.unknown.append(place)
            return
        if faults := find_faults(raw):  # none of the others could read it
            self.damaged.append(f"{place}: {faults[0]}")
            return
        item = Item.from_raw_data(raw)
        try:
            for invariants in self.of_behaviours:
                invariants.add(item)
        except UNREADABLE as error:
            self.damaged.append(f"{place}: its values cannot be read: {error}")

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. Empty lists mean that all is well."""
        found: dict[str, list[str]] = {}
        for one in self.of_behaviours:
            try:
                found |= one.results()
            except UNREADABLE as error:
                self.damaged.append(f"{type(one).__name__} cannot compare what it found: {error}")
        return found | {
            "every item is of a known type": self.unknown,
            "every item has what its type needs": self.damaged,
            "no item is larger than 4 KB": self.large,
        }

"""What must always hold for the lists of people."""

from dataclasses import dataclass, field

from accounts.models import UserInfo
from moderation.models import PersonEntry
from moderation.people.entries import entries_of
from socialsite.clock import utc_now
from socialsite.table.item import Item
from socialsite.table.keys import Key


@dataclass
class PeopleListInvariants:
    """The entries that are there, and those that the infos ask for, without what TTL deletes."""

    entries: set[Key] = field(default_factory=set)
    wanted: set[Key] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case PersonEntry() if not _has_ended(item):
                self.entries.add(item.key)
            case UserInfo():
                asked = entries_of(item)
                self.wanted |= {entry.key for entry in asked if not _has_ended(entry)}

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        wrong = self.entries ^ self.wanted
        rule = "staff find everyone among the new people, and the restricted among the restricted"
        return {rule: sorted(f"{pk} / {sk}" for pk, sk in wrong)}


def _has_ended(entry: Item) -> bool:
    return entry.ttl is not None and entry.ttl <= utc_now()

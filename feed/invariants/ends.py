"""What must hold for posts that disappear by themselves: the clock comes for each, so that none stays for days."""

from collections import Counter
from dataclasses import dataclass, field

from feed.expiring.ending import END_POST
from feed.models import Post
from socialsite.clock import utc_now
from socialsite.models import Due
from socialsite.table.item import Item


@dataclass
class EndInvariants:
    """Give it every item with `add`, then ask for `results`."""

    ending: set[str] = field(default_factory=set)
    planned: Counter[str] = field(default_factory=Counter)

    def add(self, item: Item) -> None:
        match item:
            case Post() if item.ttl and item.ttl > utc_now():
                self.ending.add(item.post_id)
            case Due() if item.kind == END_POST:
                self.planned[item.subject] += 1

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "every post that disappears by itself has its end planned, once": sorted(
                post_id for post_id in self.ending if self.planned[post_id] != 1
            ),
        }

"""What must hold for the wishes about old posts: the next run of each is planned, and nothing else is."""

from collections import Counter
from dataclasses import dataclass, field

from privacy.models import OldPostsWish
from privacy.services.wish_old_posts import DUE
from socialsite.models import Due
from socialsite.table.item import Item


@dataclass
class OldPostsInvariants:
    """Give it every item with `add`, then ask for `results`."""

    wished: Counter[tuple[str, str]] = field(default_factory=Counter)
    planned: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, item: Item) -> None:
        match item:
            case OldPostsWish() if item.next_run:
                self.wished[item.user_id, item.next_run] += 1
            case Due() if item.kind == DUE:
                self.planned[item.subject, item.facts["planned"]] += 1

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. A run that was planned before the wish changed is none: it does
        nothing when its time comes."""
        return {
            "each wish about old posts has its next run planned once": sorted(
                f"{user_id} {moment}"
                for (user_id, moment), count in self.wished.items()
                if self.planned[user_id, moment] != count
            )
        }

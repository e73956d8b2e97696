"""What must always hold for posts: people's counts of them, and the pinned ones."""

from collections import Counter
from dataclasses import dataclass, field

from accounts.invariants import wrong_counts
from accounts.models import UserCount
from feed.models import Post
from feed.services.pin_post import MOST_PINS
from socialsite.table.item import Item


@dataclass
class PostInvariants:
    """Give it every item with `add`, then ask for `results`. A withheld post does not count."""

    posts: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    post_counts: dict[str, int] = field(default_factory=dict)
    closed_counts: dict[str, int] = field(default_factory=dict)
    pins: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.posts[item.author_id] += item.withheld is None
                self.closed[item.author_id] += item.withheld is None and bool(item.audience)
            case UserCount():
                self.post_counts[item.user_id] = int(item.posts)
                self.closed_counts[item.user_id] = int(item.closed)
                self.pins[item.user_id] = len(item.pins or ())

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "post counts equal posts": list(wrong_counts(self.post_counts, self.posts)),
            "counts of closed posts equal posts for some": list(
                wrong_counts(self.closed_counts, self.closed)
            ),
            "nobody pins more posts than they can": sorted(
                user_id for user_id, pins in self.pins.items() if pins > MOST_PINS
            ),
        }

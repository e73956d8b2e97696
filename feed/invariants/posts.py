"""What must always hold for posts: people's counts of them, the ends of those that end by themselves, and the pinned
ones."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from accounts.invariants import wrong_counts
from accounts.models import UserCount
from accounts.models.ends import end_text, still_ahead
from feed.expiring.counting import MOST_ENDING
from feed.models import Post
from feed.post_count import ENDS, set_of
from feed.services.pin_post import MOST_PINS
from socialsite.table.item import Item

Place = tuple[str, str]  # a person and one of their sets of ends


@dataclass
class PostInvariants:
    """Give it every item with `add`, then ask for `results`. A withheld post does not count."""

    posts: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    post_counts: dict[str, int] = field(default_factory=dict)
    closed_counts: dict[str, int] = field(default_factory=dict)
    pins: dict[str, int] = field(default_factory=dict)
    ending: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    ends: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, item: Item) -> None:
        match item:
            case Post() if item.ttl:
                place = item.author_id, set_of(item.audience or "", item.withheld or "")
                self.ending[place].add(end_text(item.ttl, item.post_id))
            case Post():
                self.posts[item.author_id] += item.withheld is None
                self.closed[item.author_id] += item.withheld is None and bool(item.audience)
            case UserCount():
                self.post_counts[item.user_id] = int(item.posts)
                self.closed_counts[item.user_id] = int(item.closed)
                self.pins[item.user_id] = len(item.pins or ())
                for name in ENDS:
                    self.ends[item.user_id, name] = set(getattr(item, name) or ())

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
            "each post that ends by itself stands among its author's ends": sorted(self._wrong()),
            "nobody has more ends than they can": sorted(
                user_id
                for user_id in self.post_counts
                if sum(len(self.ends[user_id, name]) for name in ENDS) > MOST_ENDING
            ),
        }

    def _wrong(self) -> Iterator[str]:
        for user_id in self.post_counts:
            for name in ENDS:
                place = user_id, name
                yield from still_ahead(self.ending[place] ^ self.ends[place])

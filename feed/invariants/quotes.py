"""What must hold for quotes once the stream worker has caught up: counts, and the lists of quoted posts."""

from collections import Counter
from dataclasses import dataclass, field

from feed.models import LikeCount, Post, Quote
from feed.quotes.counting import is_counted
from socialsite.table.item import Item

Pair = tuple[str, str]  # the ids of the quoted and the quoting post


@dataclass
class QuoteInvariants:
    """Give it every item with `add`, then ask for `results`."""

    posts: set[str] = field(default_factory=set)
    quoting: dict[Pair, bool] = field(default_factory=dict)  # whether it counts
    listed: set[Pair] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.posts.add(item.post_id)
                if item.quote_of:
                    self.quoting[item.quote_of, item.post_id] = is_counted(item)
            case Quote():
                self.listed.add((item.quote_of, item.post_id))
            case LikeCount():
                self.counts[item.post_id] = int(item.quotes or 0)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        there = Counter(quoted for (quoted, _), counts in self.quoting.items() if counts)
        of_posts = {pair for pair in self.quoting if pair[0] in self.posts}
        return {
            "quote counts equal quotes": [
                f"{post_id}: {count}, {there[post_id]} quotes"
                for post_id, count in self.counts.items()
                if count != there[post_id]
            ],
            "every quote is in its post's list": [
                " ".join(pair) for pair in sorted(of_posts ^ self.listed)
            ],
        }

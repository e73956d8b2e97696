"""What must hold for reposts once the stream worker has caught up: counts, and the three items of each."""

from collections import Counter
from dataclasses import dataclass, field

from feed.models import LikeCount, LikeTrace, Post, Repost, Reposter
from socialsite.table.item import Item

Of = tuple[str, str, str]  # the ids of post, person and repost


@dataclass
class RepostInvariants:
    """Give it every item with `add`, then ask for `results`."""

    posts: set[str] = field(default_factory=set)
    reposts: set[Of] = field(default_factory=set)
    reposters: set[Of] = field(default_factory=set)
    traces: set[Of] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.posts.add(item.post_id)
            case Repost() if not item.ttl:
                self.reposts.add((item.repost_of, item.author_id, item.post_id))
            case Reposter():
                self.reposters.add((item.post_id, item.user_id, item.repost_id))
            case LikeTrace() if item.repost_id:
                self.traces.add((item.post_id, item.user_id, item.repost_id))
            case LikeCount():
                self.counts[item.post_id] = int(item.reposts or 0)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        there = Counter(post_id for post_id, _, _ in self.reposters)
        return {
            "repost counts equal reposts": [
                f"{post_id}: {count}, {there[post_id]} reposts"
                for post_id, count in self.counts.items()
                if count != there[post_id]
            ],
            "every repost is in its post's list": [
                " ".join(one) for one in sorted(self.reposts ^ self.reposters)
            ],
            "every repost has its trace": [
                " ".join(one) for one in sorted(self.reposts ^ self.traces)
            ],
            "no repost is of a post that is gone": sorted(there.keys() - self.posts),
        }

"""What must hold for likes once the stream worker has caught up: counts, traces, and their partitions."""

from collections import Counter
from dataclasses import dataclass, field

from feed.like_shards import like_partitions
from feed.models import Like, LikeCount, LikeTrace, Post
from socialsite.clock import utc_now
from socialsite.table.item import Item

Pair = tuple[str, str]


@dataclass
class LikeInvariants:
    """Give it every item with `add`, then ask for `results`. Pairs are of post and liker."""

    shards: dict[str, int] = field(default_factory=dict)  # of each post
    likes: Counter[Pair] = field(default_factory=Counter)
    places: set[Pair] = field(default_factory=set)  # of post and partition
    traces: set[Pair] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)  # posts whose counts may be gone before them

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.shards[item.post_id] = int(item.like_shards or 0)
                if item.ttl and item.ttl <= utc_now():
                    self.ended.add(item.post_id)
            case Like():
                self.likes[item.post_id, item.user_id] += 1
                self.places.add((item.post_id, item.pk))
            case LikeTrace() if not item.not_liked:
                self.traces.add((item.post_id, item.user_id))
            case LikeCount():
                self.counts[item.post_id] = int(item.likes)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        likes: Counter[str] = Counter()
        for (post_id, _), number in self.likes.items():
            likes[post_id] += number
        return {
            "like counts equal likes": [
                f"{post_id}: {count}, {likes[post_id]} likes"
                for post_id, count in self.counts.items()
                if count != likes[post_id]
            ],
            "every post has its like count, and no count is without its post": sorted(
                (self.shards.keys() ^ self.counts.keys()) - self.ended
            ),
            "every like has its trace": [
                f"{post} {user}" for post, user in self.likes.keys() ^ self.traces
            ],
            "nobody likes a post twice": [
                f"{post} {user}" for (post, user), number in self.likes.items() if number > 1
            ],
            "every like lies where its post's likes are read": sorted(
                place
                for post_id, place in self.places
                if post_id in self.shards
                and place not in like_partitions(post_id, self.shards[post_id])
            ),
            "no like is of a post that is gone": sorted(likes.keys() - self.shards.keys()),
        }

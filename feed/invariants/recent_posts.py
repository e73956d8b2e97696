"""What must hold for the lists of the newest posts of widely followed authors, once the stream worker has caught up."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from accounts.models import PULLED, UserInfo
from feed.models import Audience, Post, RecentPosts, Repost
from feed.pointers import stands_in_lists
from socialsite.clock import utc_now
from socialsite.table.item import Item

LOOKED_FOR = 10  # of an author's posts; deleted ones may take places in the list


@dataclass
class RecentPostsInvariants:
    """Give it every item with `add`, then ask for `results`."""

    pulled: set[str] = field(default_factory=set)
    posts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    listed: dict[str, set[str]] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case UserInfo():
                if item.reading == PULLED:
                    self.pulled.add(item.user_id)
            case Post() | Repost():
                has_ended = item.ttl and item.ttl <= utc_now()
                if not has_ended and _is_for_followers(item):
                    self.posts[item.author_id].append(item.post_id)
            case RecentPosts():
                self.listed[item.user_id] = {text.split(",")[0] for text in item.posts or ()}

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "the lists of widely followed authors lack none of their newest posts": sorted(
                self._missing()
            )
        }

    def _missing(self) -> Iterator[str]:
        for author_id in self.pulled & self.posts.keys():
            listed = self.listed.get(author_id)
            if listed is None:
                yield f"{author_id}: has no list"
                continue
            # Posts that gained followers late, and are older than all in a full list, stay out of it.
            for post_id in sorted(self.posts[author_id], reverse=True)[:LOOKED_FOR]:
                if post_id not in listed and not (listed and post_id < min(listed)):
                    yield f"{author_id}: {post_id}"


def _is_for_followers(post: Post | Repost) -> bool:
    if isinstance(post, Repost):
        return True
    audience = post.audience or Audience.EVERYONE
    return audience in (Audience.EVERYONE, Audience.FOLLOWERS) and stands_in_lists(post)

"""What must hold for tags once the stream worker has caught up."""

from dataclasses import dataclass, field

from feed.models import Post
from feed.post_tags import listed_tags
from relations.models import FollowedTag, TagFollower, TagUse
from socialsite.clock import utc_now
from socialsite.table.item import Item
from tags.listed import end_of_listing
from tags.models import TagEntry

Pair = tuple[str, str]  # of tag and post, if nothing else is said


@dataclass
class TagInvariants:
    """Give it every item with `add`, then ask for `results`."""

    expected: set[Pair] = field(default_factory=set)
    entries: set[Pair] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    followed: set[Pair] = field(default_factory=set)  # of tag and person
    followers: set[Pair] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                if end_of_listing(item) > utc_now():
                    self.expected |= {(tag, item.post_id) for tag in listed_tags(item)}
            case TagEntry():
                if item.ttl > utc_now():
                    self.entries.add((item.tag, item.post_id))
            case TagUse():
                self.uses.add(item.tag)
            case FollowedTag():
                self.followed.add((item.tag, item.user_id))
            case TagFollower():
                self.followers.add((item.tag, item.user_id))

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "every public post stands under its tags, and nothing else does": sorted(
                f"{tag}: {post_id}" for tag, post_id in self.expected ^ self.entries
            ),
            "every tag with posts is found": sorted({tag for tag, _ in self.entries} - self.uses),
            "every followed tag has its follower, and every follower the tag": sorted(
                f"{tag}: {user_id}" for tag, user_id in self.followed ^ self.followers
            ),
        }

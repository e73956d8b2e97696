"""What must hold for tags once the stream worker has caught up. Corrects them after stream records were lost, while
people go on posting and the worker goes on listing."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from feed.posts.models import Post
from feed.posts.reads import listed_tags
from relations.models import FollowedTag, TagFollower, TagUse
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.table import Item, RawItem, fetch, keys, row, write_batch
from tags.models import TagEntry, TopicAuthor, end_of_listing, leave_tags, tag_items
from tags.trending import end_of_counting, hour_of, tags_used

Pair = tuple[str, str]  # of tag and post, if nothing else is said
Use = tuple[str, str, str]  # of hour, tag and person


@must_hold
@dataclass
class TagInvariants:
    """Give it every item with `add`, then ask for `results`."""

    expected: set[Pair] = field(default_factory=set)
    entries: set[Pair] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    followed: set[Pair] = field(default_factory=set)  # of tag and person
    followers: set[Pair] = field(default_factory=set)
    uses_in_hours: set[Use] = field(default_factory=set)
    may_count: set[Use] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                if end_of_listing(item) > utc_now():
                    self.expected |= {(tag, item.post_id) for tag in listed_tags(item)}
                if end_of_counting(item) > utc_now():
                    hour = hour_of(item)
                    self.may_count |= {(hour, tag, item.author_id) for tag in listed_tags(item)}
            case TagEntry():
                if item.ttl > utc_now():
                    self.entries.add((item.tag, item.post_id))
            case TopicAuthor():
                if item.ttl > utc_now():
                    self.uses_in_hours.add((item.hour, item.tag, item.author_id))
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
            "everyone who counts for a topic has a post with the tag in that hour": sorted(
                f"{hour} {tag}: {author_id}"
                for hour, tag, author_id in self.uses_in_hours - self.may_count
            ),
            "every followed tag has its follower, and every follower the tag": sorted(
                f"{tag}: {user_id}" for tag, user_id in self.followed ^ self.followers
            ),
        }


def mend_tags(posts: Sequence[RawItem], entries: Sequence[RawItem]) -> None:
    """Lists these posts under their tags, and takes away entries whose posts do not stand there.

    Consistent BatchGetItems of the entries that should be there and of the posts of those that are; BatchWriteItems of
    what differs. A post that changes at this very moment makes a stream record of its own, which the worker handles.
    """
    wanted = [item for post in map(_post, posts) for item in tag_items(post, listed_tags(post))]
    found = fetch([item.key for item in wanted], consistent=True)
    write_batch(puts=[item for item in wanted if item.key not in found])
    stored = [row(TagEntry, raw) for raw in entries]
    of_entries = fetch([keys.post(one.author_id, one.post_id) for one in stored], consistent=True)
    for one in stored:
        raw = of_entries.get(keys.post(one.author_id, one.post_id))
        if raw is None or one.tag not in listed_tags(_post(raw)):
            leave_tags(Post(post_id=one.post_id, author_id=one.author_id), [one.tag])


def mend_topics(uses: Sequence[RawItem]) -> None:
    """Takes away that people used tags in an hour in which they have no post with them any more: a consistent Query of
    the posts of each in that hour, and a BatchWriteItem."""
    stored = [row(TopicAuthor, raw) for raw in uses]
    asked = {(one.author_id, one.hour) for one in stored}
    used = {
        (hour, tag, author_id) for author_id, hour in asked for tag in tags_used(author_id, hour)
    }
    gone = [one for one in stored if (one.hour, one.tag, one.author_id) not in used]
    write_batch(deletes=[keys.topic_author(one.hour, one.tag, one.author_id) for one in gone])


def _post(raw: RawItem) -> Post:
    return row(Post, raw)

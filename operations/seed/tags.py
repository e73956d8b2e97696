"""The tags of demo posts, and those that the first person of the demo follows."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import partial

from feed.models import Post
from feed.pointers import Pointer, entry_of, pointer_of_post
from feed.post_tags import listed_tags
from relations.models import FollowedTag, Following, TagFollower
from socialsite.table.item import Item
from tags.listed import tag_items

FOLLOWED = 3  # the tags that most posts have
BROUGHT = 20  # posts of each


def with_tags(items: Iterable[Item], reader_id: str) -> Iterator[Item]:
    """Returns the items, with what stands under tags of the posts among them, followed by the tags that a person
    follows, and the newest posts with each by people whom they do not follow. The posts come in the order of time."""
    counts = Counter[str]()
    newest: dict[str, deque[Pointer]] = defaultdict(partial(deque, maxlen=BROUGHT))
    people = {reader_id}
    for item in items:
        yield item
        if isinstance(item, Following) and item.user_id == reader_id:
            people.add(item.followed_id)
        if isinstance(item, Post):
            tags = listed_tags(item)
            yield from tag_items(item, tags)
            for tag in sorted(tags):
                counts[tag] += 1
                newest[tag].append(pointer_of_post(item)._replace(tag=tag))
    for tag, _ in counts.most_common(FOLLOWED):
        yield FollowedTag.new(user_id=reader_id, tag=tag)
        yield TagFollower.new(user_id=reader_id, tag=tag)
        strangers = (one for one in newest[tag] if one.author_id not in people)
        yield from (entry_of(one, reader_id, ends=None) for one in strangers)

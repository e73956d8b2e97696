"""What demo people are notified of: who liked, answered, mentioned and followed them, and who asks them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from feed.models import Like, Post, Reposter
from feed.pointers import Pointer, pointer_of_post
from notifications.kinds import REQUESTS, Kind
from notifications.seed import Event, notification_items
from relations.models import Follower, Relation, RelationType
from socialsite.table import ids
from socialsite.table.item import Item

LIKED_AFTER = timedelta(hours=3)
FOLLOWED_BEFORE = timedelta(hours=9)  # now
ASKED_BEFORE = timedelta(hours=2)


def with_notifications(items: Iterable[Item], now: datetime) -> Iterator[Item]:
    """Returns the items, followed by the notifications of what they say."""
    events: list[Event] = []
    for item in items:
        events += _events_of(item, now)
        yield item
    yield from notification_items(events, now)


def _events_of(item: Item, now: datetime) -> Sequence[Event]:
    match item:
        case Like() | Reposter():
            moment = min(now, ids.time_of(item.post_id) + LIKED_AFTER)
            pointer = Pointer(item.post_id, item.author_id)
            kind = Kind.LIKE if isinstance(item, Like) else Kind.REPOST
            return [Event(item.author_id, kind, item.user_id, moment, item.post_id, pointer)]
        case Post():
            return list(_events_of_post(item))
        case Follower():
            return [Event(item.user_id, Kind.FOLLOW, item.follower_id, now - FOLLOWED_BEFORE)]
        case Relation() if kind_asked := REQUESTS.get(RelationType(int(item.relation_type))):
            moment = now - ASKED_BEFORE
            return [Event(item.other_id, kind_asked, item.user_id, moment, item.user_id)]
    return ()


def _events_of_post(post: Post) -> Iterator[Event]:
    moment, pointer = ids.time_of(post.post_id), pointer_of_post(post)
    answered = {post.reply_to_author_id, post.root_author_id} - {None}
    mentioned: Mapping[str, str] = post.mentions.attribute_values if post.mentions else {}
    for user_id in sorted(answered):
        yield Event(user_id, Kind.REPLY, post.author_id, moment, post.post_id, pointer)
    if post.quote_of:
        yield Event(
            str(post.quote_of_author_id), Kind.QUOTE, post.author_id, moment, post.post_id, pointer
        )
    for user_id in sorted(set(mentioned.values()) - answered):
        yield Event(user_id, Kind.MENTION, post.author_id, moment, post.post_id, pointer)
